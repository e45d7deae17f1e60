/** The channel as a page: cards drawn from their blocks, buttons that a chosen person presses. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HubCalls } from './hub-calls.js';
import type { Members } from './answers.js';
import type { Click, Submit } from './payloads.js';
import { bodyOf } from './request.js';
import type { World } from './world.js';

const HTML = readFileSync(new URL('channel.html', import.meta.url));
const CODE = readFileSync(new URL('channel.js', import.meta.url));
/** As many as a channel shows at once. */
const SHOWN = 50;

/** What of the fake is shown, and acted on. */
interface Channel {
  readonly world: World;
  readonly hub: HubCalls;
}

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

const stateFor = ({ world }: Channel, user: string): Members => ({
  people: [...world.people.values()],
  channels: [...world.channels.values()],
  messages: world.messages.slice(-SHOWN),
  whispers: world.ephemerals.filter((each) => each.user === user).slice(-SHOWN),
  views: [...world.views.values()].filter((each) => each.user === user),
});

const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const act = async (slack: Channel, { request, response, url }: Visit): Promise<void> => {
  const asked = JSON.parse((await bodyOf(request)).toString()) as Members;
  if (url.pathname === '/page/click') return json(response, await slack.hub.click(asked as unknown as Click));
  if (url.pathname === '/page/submit')
    return json(response, await slack.hub.submit(asked as unknown as Submit));
  slack.world.views.delete(String(asked['view']));
  json(response, {});
};

/** An app's late answer to an interaction. */
const hook = async (slack: Channel, { request, response, url }: Visit): Promise<void> => {
  const place = slack.hub.useHook(url.pathname.slice('/hooks/'.length));
  if (!place) return void response.writeHead(404).end('expired_url');
  const { text = '', blocks = [] } = JSON.parse((await bodyOf(request)).toString()) as Members;
  slack.world.whisper({ ...place, text: String(text), blocks: blocks as readonly Members[] });
  response.end('ok');
};

export const pageFor = async (slack: Channel, visit: Visit): Promise<void> => {
  const { request, response, url } = visit;
  if (request.method === 'POST')
    return url.pathname.startsWith('/hooks/') ? hook(slack, visit) : act(slack, visit);
  if (url.pathname === '/page/state')
    return json(response, stateFor(slack, url.searchParams.get('user') ?? ''));
  const isCode = url.pathname === '/channel.js';
  if (url.pathname !== '/' && !isCode) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html; charset=utf-8' });
  response.end(isCode ? CODE : HTML);
};
