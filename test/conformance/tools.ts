/** Cases 49–56: tool calls, their results, and what belongs to them. */
import { randomUUID } from 'node:crypto';
import { caseOf, expectJoined, expectLegal, expectPass, expectRefused, play, stand } from './suite.js';
import { call, callArgs, callEnd, callOpen, close, e, open, result, RF, RS, say } from './words.js';

describe('D. tool calls', () => {
  caseOf(49, 'may run at once, inside a message, and be answered in any order', async () => {
    const played = await play((run) => [
      RS(run),
      open('m'),
      say('m', 'I look twice.'),
      callOpen('c1', 'lookUp', { parentMessageId: 'm' }),
      callOpen('c2', 'lookUp', { parentMessageId: 'm' }),
      callArgs('c1', '{"city":'),
      callArgs('c2', '{"city":"Bern"'),
      callArgs('c1', '"Rome"}'),
      callArgs('c2', '}'),
      callEnd('c1'),
      close('m'),
      callEnd('c2'),
      result('c2', '{"sky":"grey"}'),
      result('c1', '{"sky":"blue"}'),
      RF(run),
    ]);
    await expectPass(played);
    const calls = [
      { id: 'c1', function: { name: 'lookUp', arguments: '{"city":"Rome"}' } },
      { id: 'c2', function: { name: 'lookUp', arguments: '{"city":"Bern"}' } },
    ];
    const order = [{ id: 'm', toolCalls: calls }, { toolCallId: 'c2' }, { toolCallId: 'c1' }];
    expect(played.live.model.messages).toMatchObject(order);
    expect(played.customer.model.messages).toMatchObject([
      { id: 'm' },
      { toolCallId: 'c2' },
      { toolCallId: 'c1' },
    ]);
    await expectJoined(played);
  });

  caseOf(
    50,
    'may have arguments that are no JSON: the operator reads them, the customer is shown none',
    async () => {
      const played = await play((run) => [RS(run), ...call('c', 'lookUp', '{oops'), RF(run)]);
      await expectPass(played);
      expect(played.live.model.messages).toMatchObject([
        { toolCalls: [{ function: { arguments: '{oops' } }] },
      ]);
      expect(played.customer.text).not.toContain('oops');
    },
  );

  caseOf(51, 'may be answered in parts, whose files and addresses nobody fetches', async () => {
    const fetched = stand().agent.url;
    const threadId = `never-${randomUUID()}`;
    const parts = [
      { type: 'text', text: 'see' },
      { type: 'document', source: { type: 'file', value: 'vault://17', provider: 'p', mimeType: 'a/b' } },
      { type: 'image', source: { type: 'url', value: `${fetched}/${threadId}.png` } },
    ];
    const played = await play((run) => [RS(run), ...call('c', 'lookUp', '{}'), result('c', parts), RF(run)]);
    await expectPass(played);
    expect(played.live.model.messages.at(-1)).toMatchObject({ role: 'tool', content: parts });
    await expectJoined(played);
    expect(stand().agent.others).not.toContain(`/${threadId}.png`);
  });

  caseOf(52, 'are not answered by an object; two equal answers are two', async () => {
    const one = [...call('c', 'lookUp', '{}'), result('c', { sky: 'blue' })];
    await expectRefused(await play((run) => [RS(run), ...one, RF(run)]), {
      rule: 'malformed',
      after: ['RUN_STARTED', 'TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END'],
    });
    const twice = await play((run) => [
      RS(run),
      ...call('c', 'lookUp', '{}'),
      result('c', '{"sky":"blue"}'),
      result('c', '{"sky":"blue"}'),
      RF(run),
    ]);
    await expectPass(twice);
    expect(twice.live.model.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
    expect(twice.customer.sent.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toHaveLength(2);
    await expectJoined(twice);
  });

  caseOf(53, 'may be answered while open, and answers may belong to no call', async () => {
    const played = await play((run) => [
      RS(run),
      callOpen('c'),
      result('c', 'early'),
      callEnd('c'),
      result('stranger', 'whose?'),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.customer.text).not.toContain('whose?');
    await expectJoined(played);
  });

  caseOf(54, 'left to the client end in success and ask nothing', async () => {
    const played = await play((run) => [
      RS(run),
      ...call('c', 'chooseSeat', '{"row":4}'),
      RF(run, { type: 'success', pendingToolCallIds: ['c'] }),
    ]);
    await expectPass(played);
    expect(played.live.model.pending).toEqual([]);
    expect(played.customer.text).not.toContain('pendingToolCallIds":["c"]');
    const { threadId, runId, token } = played;
    const { status } = await stand().product.json<{ status: string }>(
      `/v1/threads/${threadId}/runs/${runId}`,
      {
        token,
      },
    );
    expect(status).toBe('success');
  });

  caseOf(55, 'keep the metadata of each of their parts', async () => {
    const played = await play((run) => [
      RS(run),
      callOpen('c', 'lookUp', { metadata: { a: 1, both: 'open' } }),
      callArgs('c', '{}'),
      callEnd('c', { metadata: { b: 2, both: 'end' } }),
      result('c', 'done', { metadata: { r: 3 } }),
      RF(run),
    ]);
    await expectPass(played);
    expect(played.live.model.messages).toMatchObject([
      { toolCalls: [{ metadata: { a: 1, b: 2, both: 'end' } }] },
      { role: 'tool', metadata: { r: 3 } },
    ]);
    await expectJoined(played);
  });

  caseOf(
    56,
    'and messages may carry sealed values, which come back as they are and reach no customer',
    async () => {
      const sealed = (subtype: string, entityId: string, encryptedValue: string) =>
        e('REASONING_ENCRYPTED_VALUE', { subtype, entityId, encryptedValue });
      const wrong = await play((run) => [RS(run), sealed('thought', 'm', 'x')]);
      await expectRefused(wrong, { rule: 'malformed', after: ['RUN_STARTED'] });
      const value = 'c2VhbGVk+/=\\u0000 "quoted"';
      const played = await play((run) => [
        RS(run),
        open('m'),
        close('m'),
        ...call('c', 'lookUp', '{}'),
        sealed('message', 'm', value),
        sealed('tool-call', 'c', `${value}2`),
        sealed('message', 'nobody', 'lost'),
        RF(run),
      ]);
      await expectPass(played);
      expect(played.live.model.messages).toMatchObject([
        { id: 'm', encryptedValue: value },
        { toolCalls: [{ encryptedValue: `${value}2` }] },
      ]);
      await expectLegal(played);
      expect(played.customer.text).not.toContain('c2VhbGVk');
      await expectJoined(played);
    },
  );
});
