import { verifies } from '../../../../../test/spec/verifies.js';
import { parseEvent, parseInteraction } from './interaction.js';

const AROUND = {
  team: { id: 'T0HOME' },
  enterprise: null,
  api_app_id: 'A0HUB',
  user: { id: 'U0ANN', team_id: 'T0HOME' },
  trigger_id: '1.2.3',
};
const CLICK = {
  type: 'block_actions',
  ...AROUND,
  container: { channel_id: 'C0DESK', message_ts: '1.000001' },
  actions: [{ action_id: 'tt.approve', value: 't1.x', action_ts: '2.000002' }],
};
const SUBMIT = {
  type: 'view_submission',
  ...AROUND,
  view: {
    id: 'V1',
    hash: 'h1',
    callback_id: 'tt.reject',
    private_metadata: JSON.stringify({ value: 't1.x', channel: 'C0DESK' }),
    state: { values: { 'f.0': { in: { value: 'no' } } } },
  },
};

const bodyOf = (payload: unknown): string =>
  new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
const read = (payload: unknown) => {
  const parsed = parseInteraction(bodyOf(payload));
  if (!parsed.ok) return parsed.refusal.code;
  return parsed.value;
};
const keyOf = (payload: unknown): string => (read(payload) as { dedupeKey: string }).dedupeKey;

describe('what Slack tells of people', () => {
  verifies('BRG-37', 'is read as a click with who, where and what on', () => {
    expect(read(CLICK)).toMatchObject({
      ...{
        kind: 'click',
        act: 'approve',
        value: 't1.x',
        channel: 'C0DESK',
        ts: '1.000001',
        trigger: '1.2.3',
      },
      by: { user: 'U0ANN', userTeam: 'T0HOME', team: 'T0HOME', app: 'A0HUB' },
    });
  });

  verifies('BRG-37', 'is read as a submission with the card it began at', () => {
    expect(read(SUBMIT)).toMatchObject({
      kind: 'submission',
      act: 'reject',
      from: { value: 't1.x', channel: 'C0DESK' },
    });
  });

  verifies(
    'BRG-37',
    'is known again by its action, not by its message, for an edit shares that (CH-03)',
    () => {
      const [action] = CLICK.actions;
      expect(keyOf(CLICK)).toBe(keyOf({ ...CLICK, trigger_id: '9.9.9' }));
      expect(keyOf(CLICK)).not.toBe(keyOf({ ...CLICK, actions: [{ ...action, action_ts: '3.000003' }] }));
      expect(keyOf(CLICK)).not.toBe(keyOf({ ...CLICK, user: { id: 'U0BOB', team_id: 'T0HOME' } }));
      expect(keyOf(SUBMIT)).toBe(keyOf(SUBMIT));
      expect(keyOf(SUBMIT)).not.toBe(keyOf({ ...SUBMIT, trigger_id: '9.9.9' }));
    },
  );

  verifies(
    'BRG-37',
    'is nothing where it is not of a card of ours, and refused where it has no sense',
    () => {
      const [action] = CLICK.actions;
      const others = [
        { ...CLICK, actions: [{ ...action, action_id: 'tt.open' }] },
        { ...CLICK, actions: [] },
        { ...SUBMIT, view: { ...SUBMIT.view, callback_id: 'theirs' } },
        { type: 'shortcut' },
      ];
      for (const other of others) expect(read(other)).toEqual({ kind: 'other' });
      const senseless = [
        ...[null, 7, [], 'x'],
        { ...CLICK, user: {} },
        { ...CLICK, container: null },
        { ...CLICK, actions: [{ ...action, value: 'x'.repeat(2_001) }] },
        { ...CLICK, actions: [{ ...action, value: undefined }] },
        { ...SUBMIT, view: { ...SUBMIT.view, private_metadata: 'not ours' } },
      ];
      for (const other of senseless) expect(read(other)).toBe('INVALID_INPUT');
      for (const body of ['', 'payload=%', 'payload={', 'x=1'])
        expect(parseInteraction(body)).toMatchObject({ ok: false });
    },
  );

  verifies('BRG-37', 'may be an event, or the question whether the address is right', () => {
    expect(parseEvent(JSON.stringify({ type: 'url_verification', challenge: 'abc' }))).toMatchObject({
      value: { kind: 'challenge', challenge: 'abc' },
    });
    const event = {
      type: 'event_callback',
      event_id: 'Ev1',
      team_id: 'T0HOME',
      event: { type: 'app_uninstalled' },
    };
    expect(parseEvent(JSON.stringify(event))).toMatchObject({
      value: { kind: 'event', type: 'app_uninstalled', dedupeKey: 'event:Ev1' },
    });
    expect(parseEvent('[')).toMatchObject({ ok: false });
  });
});
