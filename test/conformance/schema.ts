/** Cases 25–36: what an event may hold, what a later version may add, and which nulls mean something. */
import { caseOf, expectLegal, expectPass, expectRefused, play } from './suite.js';
import { asks, close, custom, e, names, open, RF, RS, restate, say, state, sub, text } from './words.js';

/** One event in the middle of a run that is otherwise lawful. */
const within = (event: string | object) => play((run) => [RS(run), event, RF(run)]);
const REFUSED = { rule: 'malformed', after: ['RUN_STARTED'] };

const own = (key: string, value: string): string => `{"${key}":${value}}`;

describe('B. an event', () => {
  caseOf(25, 'of a type from later versions reaches the operator alone and breaks nothing', async () => {
    const played = await play((run) => [
      RS(run),
      open('m'),
      { type: 'FORECAST', hours: 3 },
      say('m', 'dry'),
      close('m'),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.customer.text).not.toContain('FORECAST');
    expect(played.live.types).not.toContain('FORECAST');
    expect(played.customer.model.messages).toMatchObject([{ content: 'dry' }]);
  });

  caseOf(26, 'may have members nobody knows, whatever their names', async () => {
    const odd = { toString: 2, hasOwnProperty: false, valueOf: 'x', constructor: { name: 'y' }, length: 0 };
    const played = await play((run) => [
      RS(run),
      open('m', odd),
      say('m', 'fine', odd),
      close('m', odd),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.messages).toEqual([{ id: 'm', role: 'assistant', content: 'fine' }]);
    expect(played.customer.text).not.toContain('hasOwnProperty');
  });

  caseOf(27, 'with a number for an id is refused, not mended', async () => {
    await expectRefused(await within({ type: 'TEXT_MESSAGE_START', messageId: 7 }), REFUSED);
    await expectRefused(await within({ type: 'TOOL_CALL_END', toolCallId: ['c'] }), REFUSED);
  });

  caseOf(28, 'in a role that no text has is refused', async () => {
    for (const role of ['tool', 'wizard']) await expectRefused(await within(open('m', { role })), REFUSED);
  });

  caseOf(29, 'has a whole number for its time, or none', async () => {
    for (const timestamp of [1.5, '2026-03-01T00:00:00Z', null, 2 ** 53])
      await expectRefused(await within({ ...custom('CARD'), timestamp }), REFUSED);
    await expectPass(await within({ ...custom('CARD'), timestamp: -5 }));
  });

  caseOf(30, 'has an object for its metadata, whose own nulls stay', async () => {
    for (const metadata of [null, [], 'x'])
      await expectRefused(await within({ ...custom('CARD'), metadata }), REFUSED);
    const metadata = { k: null, deep: { n: null } };
    const played = await play((run) => [RS(run), open('m', { metadata }), close('m'), RF(run)]);
    await expectPass(played);
    expect(played.live.model.messages).toMatchObject([{ metadata }]);
  });

  caseOf(31, 'says null for what is absent only where that was once the custom', async () => {
    const wrong = [
      open('m', { name: null }),
      open('m', { subagentRunId: null }),
      sub('s1', { description: null }),
    ];
    for (const event of wrong) await expectRefused(await within(event), REFUSED);
    const asked = await play((run) => [RS(run), asks(run, { id: 'i', message: null })]);
    await expectRefused(asked, REFUSED);
    const call = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'lookUp' };
    const end = { type: 'TOOL_CALL_END', toolCallId: 'c' };
    const played = await play((run) => [RS(run), { ...call, parentMessageId: null }, end, RF(run)]);
    await expectPass(played, [RS(names(played)), call, end, RF(names(played))]);
  });

  caseOf(32, 'keeps a null that is its value', async () => {
    const played = await play((run) => [
      RS(run),
      custom('CARD', null),
      e('RAW', { event: null }),
      state(null),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.state).toBeNull();
    expect(played.customer.sentTexts).toContain('{"type":"CUSTOM","name":"CARD","value":null}');
  });

  caseOf(33, 'without its value is refused', async () => {
    for (const event of [e('CUSTOM', { name: 'CARD' }), e('RAW'), e('STATE_SNAPSHOT')])
      await expectRefused(await within(event), REFUSED);
  });

  caseOf(34, 'that restates messages may hold roles and parts of later versions', async () => {
    const parts = [
      { type: 'text', text: 'look' },
      { type: 'scent', source: { type: 'data', value: 'AA', mimeType: 'x/y' } },
    ];
    const played = await play((run) => [
      RS(run),
      restate({ id: 'u', role: 'user', content: parts }, { id: 'o', role: 'oracle', content: 'hm' }),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.messages).toEqual([
      { id: 'u', role: 'user', content: [{ type: 'text', text: 'look' }] },
    ]);
    for (const word of ['scent', 'oracle']) expect(played.customer.text).not.toContain(word);
  });

  caseOf(
    35,
    'keeps repeated keys and a key named __proto__ as its own, and changes no prototype',
    async () => {
      const planted = own('__proto__', own('planted', 'true'));
      const texts = [
        `{"type":"STATE_SNAPSHOT","snapshot":${planted}}`,
        `{"type":"CUSTOM","name":"CARD","name":"CARD","value":${planted}}`,
        `{"type":"TEXT_MESSAGE_START","messageId":"m","metadata":${planted}}`,
        `{"__proto__":{"planted":true},"type":"TEXT_MESSAGE_END","messageId":"m"}`,
      ];
      const played = await play((run) => [RS(run), ...texts, RF(run)]);
      await expectLegal(played);
      expect(played.record.refused).toEqual([]);
      expect(played.live.sentTexts.slice(1, -1)).toEqual(texts);
      expect(Object.getPrototypeOf({})).toBe(Object.prototype);
      expect(({} as { planted?: unknown }).planted).toBeUndefined();
      const after = await play((run) => [RS(run), ...text('m', 'well'), RF(run)]);
      await expectPass(after);
      expect(after.live.text).not.toContain('planted');
    },
  );

  caseOf(36, 'that begins a run may name any version, and it is handed on as it stands', async () => {
    for (const protocolVersion of ['1.9', 'banana', '0.0.1', '']) {
      const played = await play((run) => [RS(run, { protocolVersion }), RF(run)]);
      await expectPass(played);
      for (const { sent } of [played.live, played.customer])
        expect(sent[0]).toMatchObject({ protocolVersion });
    }
    const silent = await play((run) => [RS(run), RF(run)]);
    expect(silent.live.sent[0]).not.toHaveProperty('protocolVersion');
  });
});
