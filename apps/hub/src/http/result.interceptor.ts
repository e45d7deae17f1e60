/** Turns the Result a controller answers into its value or its refusal. */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Result } from '@triptych/protocol';
import { map, type Observable } from 'rxjs';
import { Refused } from './refused.js';

const isResult = (value: unknown): value is Result<unknown> =>
  typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean';

@Injectable()
export class ResultInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!isResult(answer)) return answer;
        if (answer.ok) return answer.value;
        throw new Refused(answer.refusal);
      }),
    );
  }
}
