/** The chat as a web page: read it and press buttons as anybody who is in it. */
import { actionsOf } from './card-rules.js';
import { drawCard, escapeHtml } from './draw-card.js';
import type { Chat, Chats, Message, TeamsUser } from './chats.js';
import { wordOf } from './stream-rules.js';

type Card = Readonly<Record<string, unknown>>;

/** What a page needs of the fake. */
export interface TeamsToShow {
  readonly chats: Chats;
  seenBy(user: TeamsUser, message: Message): Card | undefined;
  showTo(user: TeamsUser, chat: Chat): Promise<void>;
  execute(
    user: TeamsUser,
    at: { chat: Chat; message: Message },
    pressed: { verb: unknown; data: unknown; trigger: 'manual' },
  ): Promise<unknown>;
}

export interface PageAsked {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  readonly location?: string;
}

interface Place {
  readonly chat: Chat;
  readonly user: TeamsUser;
}

const STYLE = `body{margin:0;font:15px/1.5 system-ui,sans-serif;background:#f5f5f5;color:#242424}
header{background:#5b5fc7;color:#fff;padding:12px 20px;display:flex;gap:16px;align-items:center;flex-wrap:wrap}
header a{color:#fff}header form{margin-left:auto}main{max-width:720px;margin:20px auto;padding:0 16px}
article{background:#fff;border:1px solid #e0e0e0;border-radius:8px;padding:14px 18px;margin:0 0 14px}
article p{margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere}.warning{color:#8a5a00}.mono{font-family:ui-monospace,monospace;font-size:13px}
.below{margin-left:36px;white-space:pre-wrap}.said{border-left:3px solid #5b5fc7;padding-left:10px;margin-top:10px}.meta{color:#616161;font-size:13px}
button,summary{font:inherit;border:1px solid #d1d1d1;background:#fff;border-radius:4px;padding:5px 14px;cursor:pointer}
.positive{background:#5b5fc7;color:#fff;border-color:#5b5fc7}.destructive{color:#b10e1c;border-color:#b10e1c}
.actions{display:flex;gap:8px;margin-top:12px;flex-wrap:wrap;align-items:flex-start}label{display:block;margin:8px 0}
input,textarea,select{font:inherit;display:block;width:100%;box-sizing:border-box}input[type=radio],input[type=checkbox]{display:inline;width:auto}`;

/** Looks for news every second, and shows it unless somebody is writing. */
const SCRIPT = `let seen=document.querySelector('main').innerHTML;setInterval(async()=>{
if(['INPUT','TEXTAREA','SELECT'].includes(document.activeElement.tagName)||document.querySelector('details[open]'))return;
const page=new DOMParser().parseFromString(await(await fetch(location.href)).text(),'text/html').querySelector('main').innerHTML;
if(page!==seen){seen=page;document.querySelector('main').innerHTML=page}},1000)`;

const linkTo = ({ chat, user }: Place): string =>
  `/?chat=${encodeURIComponent(chat.id)}&as=${encodeURIComponent(user.mri)}`;

const placeIn = (teams: TeamsToShow, given: URLSearchParams): Place | undefined => {
  const chat = teams.chats.find(given.get('chat') ?? '') ?? teams.chats.all[0];
  const user = chat?.members.find(({ mri }) => mri === given.get('as')) ?? chat?.members[0];
  return chat && user ? { chat, user } : undefined;
};

const messageHtml = (teams: TeamsToShow, place: Place, message: Message): string => {
  const { chat, user } = place;
  const card = teams.seenBy(user, message);
  const text = card ? '' : `<p>${escapeHtml(wordOf(message.activity?.text))}</p>`;
  const said = message.said.get(user.mri);
  const hidden = { chat: chat.id, as: user.mri, message: message.id };
  const from = message.from === 'bot' ? 'Triptych' : message.from.name;
  const edited = message.edits > 0 ? ' · edited' : '';
  const isBelow = message.below === undefined ? '' : ' class="below"';
  return `<article${isBelow}><p class="meta">${escapeHtml(from)} · ${new Date(message.at).toISOString().slice(11, 19)}${edited}</p>
${text}${card ? drawCard(card, hidden) : ''}${said === undefined ? '' : `<p class="said">${escapeHtml(said)}</p>`}</article>`;
};

const pageHtml = (teams: TeamsToShow, place: Place): string => {
  const { chat, user } = place;
  const chats = teams.chats.all.map((one) => {
    const as = one.members.find(({ mri }) => mri === user.mri) ?? (one.members[0] as TeamsUser);
    return `<a href="${linkTo({ chat: one, user: as })}">${escapeHtml(one.title)}</a>`;
  });
  const people = chat.members.map(
    (one) =>
      `<option value="${one.mri}"${one.mri === user.mri ? ' selected' : ''}>${escapeHtml(one.name)}</option>`,
  );
  const messages = chat.messages.filter(({ activity }) => activity !== undefined);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(chat.title)} · a fake Teams</title>
<style>${STYLE}</style><header><strong>A fake Teams</strong> ${chats.join(' ')}
<form><input type="hidden" name="chat" value="${chat.id}"><label>as <select name="as" onchange="form.submit()">${people.join('')}</select></label></form></header>
<main><h1>${escapeHtml(chat.title)}</h1>${messages.map((one) => messageHtml(teams, place, one)).join('') || '<p>Nothing was said here yet.</p>'}</main>
<script>${SCRIPT}</script></html>`;
};

/** A form's own members travel beside the inputs of the card. */
const OWN = ['chat', 'as', 'message', 'action'];

const inputsIn = (form: URLSearchParams): Readonly<Record<string, string>> => {
  const names = [...new Set(form.keys())].filter((name) => !OWN.includes(name));
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).join(',')]));
};

const pressIn = async (teams: TeamsToShow, form: URLSearchParams): Promise<string> => {
  const place = placeIn(teams, form);
  const message = place && teams.chats.message(place.chat, form.get('message') ?? '');
  const card = place && message && teams.seenBy(place.user, message);
  const action =
    card && actionsOf(card).filter(({ type }) => type === 'Action.Execute')[Number(form.get('action'))];
  if (!place || !message || !action) return '/';
  const data = { ...inputsIn(form), ...(action.data as object) };
  await teams.execute(
    place.user,
    { chat: place.chat, message },
    { verb: action.verb, data, trigger: 'manual' },
  );
  return linkTo(place);
};

export const chatPage = async (
  teams: TeamsToShow,
  { method, query, body }: PageAsked,
): Promise<PageAnswer> => {
  if (method === 'POST')
    return { status: 303, html: '', location: await pressIn(teams, new URLSearchParams(body)) };
  const place = placeIn(teams, query);
  if (!place) return { status: 200, html: '<!doctype html><title>A fake Teams</title><p>No chats yet.</p>' };
  await teams.showTo(place.user, place.chat);
  return { status: 200, html: pageHtml(teams, place) };
};
