/** The voice in Slack, act by act, against a Slack that refuses, limits and loses as the real one is documented to. */
import { shapeOf } from '@triptych/access';
import { FakeSlack, TOKEN } from '../../../../../test/fakes/slack/fake-slack.js';
import { TEAM } from '../../../../../test/fakes/slack/world.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import type { Page } from '../../progress/core/page.js';
import type { Act, Heard, ProgressPlace } from '../../progress/core/voice.js';
import { slackClient } from './slack-client.js';
import { SlackVoice } from './slack-voice.js';

const CHANNEL = 'C0DESK';
const KEY = 'key';
const page = (text: string): Page => ({ steps: [], text, standing: 'The agent is at work.' });

let slack: FakeSlack;
let voice: SlackVoice;
let place: ProgressPlace<'slack'>;
beforeEach(async () => {
  slack = await FakeSlack.start();
  slack.world.addChannel(CHANNEL, 'desk');
  slack.world.addPerson({ id: 'U0ANN', name: 'ann', team: TEAM });
  const card = slack.world.post({ channel: CHANNEL, text: 'card', blocks: [] });
  voice = new SlackVoice(slackClient({ token: TOKEN, apiUrl: slack.apiUrl }));
  place = {
    destination: { id: 'desk', kind: 'slack', tenant: 'default', address: CHANNEL, args: shapeOf(['']) },
    card: `${CHANNEL} ${card.ts}`,
    deciders: [`${TEAM}:U0ANN`],
  };
});
afterEach(() => slack.stop());

const does = (act: Act): Promise<Heard> => voice.carryOut(act, place);
const post = (text = 'One'): Act => ({ kind: 'post', page: page(text), key: KEY });
const idOf = (heard: Heard): string => (heard.kind === 'done' ? (heard.id ?? '') : heard.kind);
const find = (...known: readonly string[]): Act => ({ kind: 'find', key: KEY, since: Date.now(), known });

describe('the voice in Slack', () => {
  verifies('BRG-144', 'finds what arrived though no answer did, and nothing else', async () => {
    expect(await does(find())).toEqual({ kind: 'absent' });
    slack.faults.next('chat.postMessage', 'drop-reply');
    expect(await does(post())).toMatchObject({ kind: 'unsure' });
    const posted = idOf(await does(find()));
    expect(slack.world.find(CHANNEL, posted)?.text).toBe('The agent is at work.');
    slack.faults.next('chat.startStream', 'drop-reply');
    expect(await does({ kind: 'begin', page: page('Two'), key: 'other' })).toMatchObject({ kind: 'unsure' });
    const begun = idOf(await does({ ...find(posted), key: 'other' } as Act));
    expect(slack.world.find(CHANNEL, begun)).toMatchObject({ text: 'Two', stream: { open: true } });
    expect(await does({ ...find(posted, begun), key: 'third' } as Act)).toEqual({ kind: 'absent' });
  });

  verifies('BRG-146', 'says whether to wait, to try again, or never', async () => {
    const id = idOf(await does(post()));
    const change: Act = { kind: 'change', page: page('Two'), id, key: KEY };
    slack.limits.shutFor('chat.update', 7_000);
    expect(await does(change)).toEqual({ kind: 'later', retryAfterMs: 7_000 });
    slack.limits.shutFor('chat.update', 0);
    slack.faults.next('chat.update', 'broken-late');
    expect(await does(change)).toMatchObject({ kind: 'unsure' });
    expect(await does({ ...change, id: '1.000001' } as Act)).toEqual({ kind: 'gone' });
    slack.world.channels.get(CHANNEL)!.hasBot = false;
    expect(await does(post())).toEqual({ kind: 'refused', why: 'not_in_channel' });
  });

  verifies('BRG-148', 'says that there is no stream where it is unknown, over, or for nobody', async () => {
    slack.unknown.add('chat.startStream');
    const begin: Act = { kind: 'begin', page: page('One'), key: KEY };
    expect(await does(begin)).toEqual({ kind: 'no-stream', why: 'unknown_method' });
    slack.unknown.clear();
    const id = idOf(await does(begin));
    const before = { text: 'One', steps: [], chunks: 1 };
    const end: Act = { kind: 'end', page: page('One two'), id, before, key: KEY };
    expect([await does(end), await does(end)]).toMatchObject([{ kind: 'done' }, { kind: 'no-stream' }]);
    expect(slack.world.find(CHANNEL, id)).toMatchObject({ text: 'One two', stream: { open: false } });
    expect(await voice.streamsAt(place)).toBe(true);
    expect(await voice.streamsAt({ ...place, deciders: [] })).toBe(false);
    expect(await voice.streamsAt({ ...place, deciders: [], card: 'D0ANN 1.000001' })).toBe(true);
  });
});
