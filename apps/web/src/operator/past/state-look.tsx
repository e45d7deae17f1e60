/** All that a surface held after an event: state, messages, open questions. */
import type { AguiEvent, Interrupt, Surface } from '@triptych/protocol';
import { Icon } from '../../shared/icon.js';
import { useSurface } from '../../shared/surface-context.js';
import { goTo, useUrlParam } from '../../shared/url-state.js';
import { useFetched } from '../../shared/use-fetched.js';
import { useSharedText } from '../../shared/use-shared-text.js';
import { heldIn, type Held } from '../core/held.js';
import { JsonView } from '../json-view.js';
import { useConsoleText } from '../texts.js';
import { usePastText } from './texts.js';
import { useLast, useSettled } from './use-settled.js';
import { useSurfaceKeys } from './use-surface-keys.js';

const SURFACES = ['operator', 'reviewer', 'customer'] as const satisfies readonly Surface[];

interface Snapshot {
  readonly events: readonly AguiEvent[];
  readonly openInterrupts: readonly Interrupt[];
}

/** A handle that is being dragged asks for many places; one a moment is enough. */
const SETTLE_MS = 150;
/** Live, a run that streams is looked at anew at most so often. */
const LOOK_AGAIN_MS = 1_000;

const AsWhom = ({ surface }: { surface: Surface }) => {
  const t = useConsoleText();
  const p = usePastText();
  return (
    <span className="seg" role="group" aria-label={p('p.surface')}>
      {SURFACES.map((each) => (
        <button
          type="button"
          key={each}
          className={each === surface ? 'on' : undefined}
          aria-pressed={each === surface}
          onClick={() => goTo({ as: each === 'operator' ? undefined : each }, 'replace')}
        >
          {t(`o.surface.${each}`)}
        </button>
      ))}
    </span>
  );
};

const Messages = ({ held }: { held: Held }) => {
  const p = usePastText();
  const { formats } = useSurface();
  return (
    <section>
      <h2>
        {p('p.messages')} <span className="count">{formats.number(held.messages.length)}</span>
      </h2>
      {held.messages.length === 0 && <p className="hint">{p('p.messages.none')}</p>}
      <ol className="said-list">
        {held.messages.map(({ id, role, text, calls }) => (
          <li key={id}>
            <span className="role">{role}</span>
            <div>
              {text !== '' && <p className={role === 'tool' ? 'mono t-12' : undefined}>{text}</p>}
              {calls.map((name, index) => (
                <p key={index} className="mono c2">
                  {p('p.call', { name })}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
};

const Questions = ({ open }: { open: readonly Interrupt[] }) => {
  const p = usePastText();
  return (
    <section>
      <h2>{p('p.open')}</h2>
      {open.length === 0 && <p className="hint">{p('p.open.none')}</p>}
      <ul>
        {open.map(({ id, reason, message }) => (
          <li key={id} className="asks">
            <Icon name="ask" className="sm" /> {message ?? reason} <span className="mono c3">{id}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

const HeldView = ({ snapshot }: { snapshot: Snapshot }) => {
  const p = usePastText();
  const held = heldIn(snapshot.events);
  return (
    <>
      <Questions open={snapshot.openInterrupts} />
      <section>
        <h2>{p('p.state')}</h2>
        {held.state === undefined ? (
          <p className="hint">{p('p.state.none')}</p>
        ) : (
          <JsonView text={JSON.stringify(held.state, null, 2)} label={p('p.state')} />
        )}
      </section>
      <Messages held={held} />
    </>
  );
};

interface StateLookProps {
  readonly threadId: string;
  readonly at: number;
  readonly first: number;
  /** What comes moves the place. */
  readonly live: boolean;
}

type HeldAtProps = Omit<StateLookProps, 'live'> & { readonly surface: Surface };

const HeldAt = ({ threadId, at, first, surface }: HeldAtProps) => {
  const p = usePastText();
  const x = useSharedText();
  const { formats } = useSurface();
  const path = `/v1/threads/${encodeURIComponent(threadId)}/snapshot?at=${at}&surface=${surface}`;
  const { fetched } = useFetched<Snapshot>(at > 0 ? path : undefined);
  const snapshot = useLast(fetched);
  if (fetched.state === 'refused') {
    const isTrimmed = fetched.refusal.code === 'EXPIRED';
    return (
      <p className="err-text">
        <Icon name="alert" />
        <span>{isTrimmed ? p('p.trimmed', { n: formats.number(first) }) : x('x.loadfail')}</span>
      </p>
    );
  }
  return snapshot && <HeldView snapshot={snapshot} />;
};

export const StateLook = ({ threadId, at, first, live }: StateLookProps) => {
  const p = usePastText();
  const { formats } = useSurface();
  const named = useUrlParam('as');
  const surface = SURFACES.find((each) => each === named) ?? 'operator';
  const settled = useSettled(at, live ? LOOK_AGAIN_MS : SETTLE_MS);
  useSurfaceKeys();
  return (
    <>
      <div className="op-tools">
        <AsWhom surface={surface} />
        <span className="c3 t-12">{p('p.after', { n: formats.number(settled) })}</span>
      </div>
      <div className="held" tabIndex={0} role="region" aria-label={p('p.state')}>
        {/* Another surface begins with nothing: not for a moment is it shown what another holds. */}
        <HeldAt key={surface} {...{ threadId, first, surface }} at={settled} />
      </div>
    </>
  );
};
