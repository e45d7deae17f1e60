/** Draws the channel from its blocks, a second's look at a time. */
const LOOK_MS = 1_000;

const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children);
  return element;
};

/** Dates are what they say where nobody knows them, entities are text again; a card has no other markup. */
const plain = (text) =>
  text
    .replace(/<!date\^[^|>]*\|([^>]*)>/gu, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const textNode = ({ type, text }) => {
  if (type === 'plain_text') return make('div', { className: 'text', textContent: text });
  const parts = text.split('```');
  return make(
    'div',
    { className: 'text' },
    ...parts.map((part, at) =>
      make(at % 2 ? 'pre' : 'span', { textContent: plain(at % 2 ? part.trim() : part) }),
    ),
  );
};

const ask = (path, body) => fetch(`/page/${path}`, { method: 'POST', body: JSON.stringify(body) });

const sure = ({ confirm }) =>
  confirm === undefined || window.confirm(`${confirm.title.text}\n\n${plain(confirm.text.text)}`);

const press = async (message, button) => {
  if (button.url) window.open(button.url);
  if (!sure(button)) return;
  const { channel, ts } = message;
  await ask('click', { user: who.value, channel, ts, action: button.action_id });
  await look();
};

const DRAW = {
  header: ({ text }) => make('h2', { textContent: text.text }),
  divider: () => make('hr'),
  section: ({ text, fields = [] }) =>
    make(
      'div',
      {},
      ...(text ? [textNode(text)] : []),
      make('div', { className: 'fields' }, ...fields.map(textNode)),
    ),
  context: ({ elements }) => make('div', { className: 'small' }, ...elements.map(textNode)),
  actions: ({ elements }, message) =>
    make(
      'div',
      {},
      ...elements.map((button) =>
        make('button', {
          textContent: button.text.text,
          className: button.style ?? '',
          onclick: () => press(message, button),
        }),
      ),
    ),
};

const MARKS = { pending: '–', in_progress: '…', complete: '✓', error: '✗' };

/** What a stream told: its tasks, then its words, as Markdown shows what is escaped in it. */
const streamed = ({ text, tasks = [], stream }) => {
  const words = plain(text).replace(/\\([!-/:-@[-`{-~])/gu, '$1');
  const lines = [...tasks.map(({ title, status }) => `${MARKS[status]} ${title}`), ...(words ? [words] : [])];
  const said = lines.join('\n') + (stream?.open ? ' ▌' : '');
  return [{ type: 'section', text: { type: 'plain_text', text: said } }];
};

const blocksOf = (message) => {
  if (message.stream && (message.blocks.length === 0 || !message.edited))
    return [...streamed(message), ...message.blocks];
  return message.blocks.length > 0
    ? message.blocks
    : [{ type: 'section', text: { type: 'mrkdwn', text: message.text } }];
};

const draw = (message, className) => {
  const blocks = blocksOf(message);
  const said = blocks.map((block) => DRAW[block.type]?.(block, message) ?? make('span'));
  const from = className === 'whisper' ? 'Only visible to you' : 'hub';
  return make('article', { className }, make('div', { className: 'small', textContent: from }), ...said);
};

const optionsOf = (element, initial) =>
  element.options.map(({ text, value }) =>
    make('option', {
      value,
      textContent: text.text,
      selected: [initial].flat().some((each) => each?.value === value),
    }),
  );

const INPUT = {
  plain_text_input: (element) =>
    make(element.multiline ? 'textarea' : 'input', { value: element.initial_value ?? '' }),
  number_input: (element) => make('input', { inputMode: 'decimal', value: element.initial_value ?? '' }),
  datepicker: (element) => make('input', { type: 'date', value: element.initial_date ?? '' }),
  static_select: (element) =>
    make('select', {}, make('option', { value: '' }), ...optionsOf(element, element.initial_option)),
  radio_buttons: (element) =>
    make('select', {}, make('option', { value: '' }), ...optionsOf(element, element.initial_option)),
  multi_static_select: (element) =>
    make('select', { multiple: true }, ...optionsOf(element, element.initial_options ?? [])),
};

const valueOf = (input) =>
  input.multiple ? [...input.selectedOptions].map(({ value }) => value) : input.value || undefined;

let open;
const drawModal = ({ id, view }) => {
  if (open === id) return;
  open = id;
  const inputs = new Map();
  const errors = new Map();
  const parts = view.blocks.map((block) => {
    if (block.type !== 'input') return DRAW[block.type]?.(block) ?? make('span');
    inputs.set(block.block_id, INPUT[block.element.type](block.element));
    errors.set(block.block_id, make('span', { className: 'error' }));
    return make('label', {}, block.label.text, inputs.get(block.block_id), errors.get(block.block_id));
  });
  const submit = async () => {
    const values = Object.fromEntries([...inputs].map(([block, input]) => [block, valueOf(input)]));
    const { body } = await (await ask('submit', { view: id, values })).json();
    for (const [block, text] of Object.entries(body.errors ?? {})) errors.get(block).textContent = text;
    await look();
  };
  const close = async () => {
    await ask('close', { view: id });
    await look();
  };
  modal.replaceChildren(
    make('h2', { textContent: view.title.text }),
    ...parts,
    ...(view.submit
      ? [make('button', { className: 'primary', textContent: view.submit.text, onclick: submit })]
      : []),
    make('button', { textContent: view.close?.text ?? 'Close', onclick: close }),
  );
  modal.showModal();
};

const { who, messages, modal } = Object.fromEntries(
  ['who', 'messages', 'modal'].map((id) => [id, document.getElementById(id)]),
);

/** What stands in the thread of a message comes after it. */
const inThreads = (all) =>
  all
    .filter(({ threadTs }) => !threadTs)
    .flatMap((message) => [
      message,
      ...all.filter(({ threadTs, channel }) => threadTs === message.ts && channel === message.channel),
    ]);

let last = '';
const look = async () => {
  const state = await (await fetch(`/page/state?user=${who.value}`)).json();
  if (JSON.stringify(state) === last) return;
  last = JSON.stringify(state);
  if (who.options.length === 0)
    who.append(
      ...state.people
        .filter(({ name }) => name !== 'hub')
        .map(({ id, name }) => make('option', { value: id, textContent: name })),
    );
  messages.replaceChildren(
    ...inThreads(state.messages).map((message) => draw(message, message.threadTs ? 'reply' : '')),
    ...state.whispers.map((message) => draw(message, 'whisper')),
  );
  const [view] = state.views;
  if (view) return drawModal(view);
  open = undefined;
  modal.close();
};
who.onchange = look;
setInterval(() => void look(), LOOK_MS);
await look();
