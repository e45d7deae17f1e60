/** What the hub reads of Teams and says to it, as tables. */
import {
  Activity as VendorActivity,
  adaptiveCardInvokeActionZodSchema as vendorAction,
} from '@microsoft/agents-activity';
import { refusal } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { outcomeOf } from '../../../../../test/fakes/teams/invokes.js';
import { ANN, taskOf, TERMS } from '../../../test/teams-task.js';
import { readActivity, type Activity } from './activity.js';
import { cardActionIn } from './card-action.js';
import { meaningOf, retryAfterIn } from './delivery-of.js';
import { withCard, withError, withMessage } from './invoke-answer.js';
import { learnFrom } from './places.js';
import { isServiceUrl } from './service-hosts.js';
import { taskCard } from './task-card.js';

const RAW = {
  type: 'invoke',
  name: 'adaptiveCard/action',
  id: 'f:1',
  channelId: 'msteams',
  serviceUrl: 'https://smba.trafficmanager.net/emea/',
  from: { id: '29:ann', aadObjectId: 'aad-ann', name: 'Ann' },
  recipient: { id: '28:app' },
  conversation: { id: '19:x@thread.tacv2;messageid=1', conversationType: 'channel' },
  channelData: { tenant: { id: 'contoso' } },
  value: { action: { type: 'Action.Execute', verb: 'hub.approve', data: { t: 't1.x', i0: 'yes' } } },
};
const activityOf = (over: object = {}): Activity => {
  const read = readActivity({ ...RAW, ...over });
  if (!read.ok) throw new Error(read.refusal.message);
  return read.value;
};

describe('what Teams says', () => {
  verifies('BRG-70', 'a press is read from new clients and from old ones', () => {
    expect(cardActionIn(activityOf())).toEqual({
      ok: true,
      value: { manner: 'invoke', verb: 'approve', value: 't1.x', data: { t: 't1.x', i0: 'yes' } },
    });
    const value = { t: 't1.x', verb: 'hub.reject', reason: 'no' };
    expect(cardActionIn(activityOf({ type: 'message', text: ' ', value }))).toMatchObject({
      value: { manner: 'message', verb: 'reject', data: value },
    });
    expect(cardActionIn(activityOf({ type: 'message', text: 'hello', value }))).toBeUndefined();
    expect(cardActionIn(activityOf({ name: 'task/fetch' }))).toBeUndefined();
    expect(vendorAction.parse(RAW.value.action)).toMatchObject({ verb: 'hub.approve' });
    expect(VendorActivity.fromObject(RAW)).toMatchObject({ type: 'invoke', value: RAW.value });
  });

  verifies('BRG-70', 'CH-12: a press without a verb, a task or any sense is refused', () => {
    const senseless = [
      undefined,
      null,
      'x',
      [],
      {},
      { action: {} },
      { action: { verb: 'approve', data: { t: 'x' } } },
      { action: { data: { t: 'x' } } },
      { action: { verb: 'hub.approve' } },
      { action: { verb: 'hub.approve', data: { t: 1 } } },
      { action: { verb: 'hub.delete', data: { t: 'x' } } },
    ];
    for (const value of senseless)
      expect(cardActionIn(activityOf({ value }))).toMatchObject({ refusal: { code: 'INVALID_INPUT' } });
    for (const raw of [
      undefined,
      null,
      'x',
      [],
      {},
      { ...RAW, from: {} },
      { ...RAW, conversation: { id: '' } },
    ])
      expect(readActivity(raw)).toMatchObject({ refusal: { code: 'INVALID_INPUT' } });
  });

  verifies('BRG-71', 'CH-12: every kind of answer is one that clients take', () => {
    const told = (body: unknown) =>
      outcomeOf({ status: 200, body: JSON.parse(JSON.stringify(body)) as unknown, ms: 0 });
    expect(told(withCard(taskCard(taskOf(), ANN, TERMS)))).toMatchObject({ kind: 'card' });
    expect(told(withMessage('Not yours.'))).toEqual({ kind: 'message', text: 'Not yours.' });
    for (const code of [
      'INVALID_INPUT',
      'RESUME_PAYLOAD_INVALID',
      'INTERNAL',
      'STORE_UNAVAILABLE',
    ] as const) {
      const answer = withError(refusal(code));
      expect(told(answer)).toMatchObject({ kind: 'error' });
      expect(answer.statusCode).toBe(code === 'INTERNAL' || code === 'STORE_UNAVAILABLE' ? 500 : 400);
    }
  });

  verifies(
    'BRG-63',
    'threat 10: only Microsoft’s addresses are answered, and those that were configured',
    () => {
      const good = [
        'https://smba.trafficmanager.net/emea/',
        'https://europe.webchat.botframework.com/',
        'http://127.0.0.1:4999/emea/',
      ];
      for (const url of good)
        expect([url, isServiceUrl(url, ['http://127.0.0.1:4999'])]).toEqual([url, true]);
      const bad = [
        ...['', 'x', 'http://smba.trafficmanager.net/', 'https://smba.trafficmanager.net:8443/'],
        ...['https://evil.trafficmanager.net/', 'https://smba.trafficmanager.net.evil.example/'],
        ...['https://smba.trafficmanager.net@evil.example/', 'https://u:p@smba.trafficmanager.net/'],
        ...[
          'https://botframework.com.evil.example/',
          'https://evilbotframework.com/',
          'https://169.254.169.254/',
        ],
        ...['http://127.0.0.1:5000/', 'https://127.0.0.1:4999/', 'http://[::1]:4999/', 'file:///etc/passwd'],
      ];
      for (const url of bad)
        expect([url, isServiceUrl(url, ['http://127.0.0.1:4999'])]).toEqual([url, false]);
    },
  );

  verifies('BRG-74', 'where the app is installed, and who is who, is learnt from every activity', () => {
    expect(learnFrom(activityOf())).toEqual({
      keep: {
        conversation: '19:x@thread.tacv2',
        kind: 'channel',
        serviceUrl: RAW.serviceUrl,
        tenant: 'contoso',
      },
      met: { aadObjectId: 'aad-ann', mri: '29:ann' },
    });
    const chat = { id: 'a:1', conversationType: 'personal' };
    expect(learnFrom(activityOf({ conversation: chat })).keep?.with).toEqual(['aad-ann', '29:ann']);
    const gone = [
      { type: 'installationUpdate', action: 'remove' },
      { type: 'installationUpdate', action: 'remove-upgrade' },
      { type: 'conversationUpdate', membersRemoved: [{ id: '28:app' }] },
    ];
    for (const over of gone)
      expect(learnFrom(activityOf(over))).toMatchObject({ forget: '19:x@thread.tacv2' });
    const joined = { type: 'conversationUpdate', membersRemoved: [{ id: '29:bob' }] };
    expect(learnFrom(activityOf(joined)).keep).toBeDefined();
  });

  verifies('BRG-72', 'an answer of the connector means wait, try again, look first, or never', () => {
    const post = (status?: number, more: object = {}) =>
      meaningOf({ ...(status === undefined ? {} : { status }), ...more }, 'post').kind;
    const update = (status?: number) => meaningOf(status === undefined ? {} : { status }, 'update').kind;
    expect([201, 200, 202].map((status) => post(status))).toEqual(['done', 'done', 'done']);
    expect([412, 429].map((status) => [post(status), update(status)])).toEqual(
      Array(2).fill(['later', 'later']),
    );
    expect([500, 502, 504, undefined].map((status) => [post(status), update(status)])).toEqual(
      Array(4).fill(['unsure', 'failed']),
    );
    expect(post(undefined, { unsent: true })).toBe('failed');
    expect([401, 503].map((status) => post(status))).toEqual(['failed', 'failed']);
    expect(meaningOf({ status: 503, retryAfterMs: 2_000 }, 'post')).toEqual({
      kind: 'later',
      retryAfterMs: 2_000,
    });
    expect(meaningOf({ status: 429, retryAfterMs: 9e9 }, 'post')).toEqual({
      kind: 'later',
      retryAfterMs: 600_000,
    });
    expect([400, 403, 404, 413].map((status) => post(status))).toEqual(Array(4).fill('refused'));
    expect(update(404)).toBe('gone');
    expect(['3', '1.5', 'soon', '', null].map(retryAfterIn)).toEqual([
      3_000,
      1_500,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
