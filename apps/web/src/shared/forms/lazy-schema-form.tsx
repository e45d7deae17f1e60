/** Loads the form when one is needed, and shows the shape of it meanwhile. */
import { lazy, Suspense } from 'react';
import type { SchemaFormProps } from './schema-form.js';

const load = () => import('./schema-form.js').then(({ SchemaForm: Form }) => ({ default: Form }));
const SchemaForm = lazy(load);

/** Called when a form is likely soon: a task was claimed, a question arrived. */
export const prefetchForms = (): void => {
  load().catch(() => {
    // The next render asks again and shows what failed.
  });
};

const Shape = () => (
  <div className="sk" aria-hidden="true">
    <i />
    <i />
  </div>
);

export const LazySchemaForm = (props: SchemaFormProps) => (
  <Suspense fallback={<Shape />}>
    <SchemaForm {...props} />
  </Suspense>
);
