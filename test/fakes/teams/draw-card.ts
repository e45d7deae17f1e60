/** Draws an Adaptive Card as HTML, as far as the hub's cards go. */
type Bag = Readonly<Record<string, unknown>>;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (one) => ENTITIES[one] ?? one);

const text = (value: unknown): string => escapeHtml(typeof value === 'string' ? value : '');
const list = (value: unknown): readonly Bag[] => (Array.isArray(value) ? (value as Bag[]) : []);

const runHtml = ({ text: said, weight, fontType }: Bag): string => {
  const inner = fontType === 'Monospace' ? `<span class="mono">${text(said)}</span>` : text(said);
  return weight === 'Bolder' ? `<strong>${inner}</strong>` : inner;
};

const choiceHtml = ({ id, choices, style, isMultiSelect, isRequired }: Bag): string => {
  const type = isMultiSelect === true ? 'checkbox' : 'radio';
  const required = isRequired === true && type === 'radio' ? ' required' : '';
  if (style === 'expanded' || isMultiSelect === true)
    return list(choices)
      .map(
        ({ title, value }) =>
          `<label><input type="${type}" name="${text(id)}" value="${text(value)}"${required}> ${text(title)}</label>`,
      )
      .join('');
  const options = list(choices).map(
    ({ title, value }) => `<option value="${text(value)}">${text(title)}</option>`,
  );
  return `<select name="${text(id)}"${required}><option value=""></option>${options.join('')}</select>`;
};

const fieldHtml = (input: Bag): string => {
  const required = input.isRequired === true ? ' required' : '';
  switch (input.type) {
    case 'Input.ChoiceSet':
      return choiceHtml(input);
    case 'Input.Number':
      return `<input type="number" step="any" name="${text(input.id)}"${required}>`;
    case 'Input.Date':
      return `<input type="date" name="${text(input.id)}"${required}>`;
    case 'Input.Toggle':
      return `<select name="${text(input.id)}"><option value="true">Yes</option><option value="false"${input.value === 'false' ? ' selected' : ''}>No</option></select>`;
    default:
      return input.isMultiline === true
        ? `<textarea name="${text(input.id)}"${required}></textarea>`
        : `<input name="${text(input.id)}"${required}>`;
  }
};

const elementHtml = (element: Bag): string => {
  if (element.type === 'TextBlock')
    return `<p class="${element.color === 'Warning' ? 'warning' : ''}">${runHtml(element)}</p>`;
  if (element.type === 'RichTextBlock') return `<p>${list(element.inlines).map(runHtml).join('')}</p>`;
  return `<label>${text(element.label)}${fieldHtml(element)}</label>`;
};

interface Drawing {
  readonly hidden: Readonly<Record<string, string>>;
  /** Buttons are counted through the whole card. */
  nth: number;
}

const actionHtml = (action: Bag, drawing: Drawing, body: string): string => {
  if (action.type === 'Action.OpenUrl') return `<a href="${text(action.url)}">${text(action.title)}</a>`;
  if (action.type === 'Action.ShowCard')
    return `<details><summary>${text(action.title)}</summary>${insideHtml(action.card as Bag, drawing)}</details>`;
  const hidden = Object.entries({ ...drawing.hidden, action: String(drawing.nth++) }).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="/">${hidden.join('')}${body}<button class="${text(action.style)}">${text(action.title)}</button></form>`;
};

const insideHtml = ({ body, actions }: Bag, drawing: Drawing): string => {
  const inputs = list(body).filter(({ type }) => String(type).startsWith('Input.'));
  const others = list(body).filter((element) => !inputs.includes(element));
  const fields = inputs.map(elementHtml).join('');
  const buttons = list(actions).map((action) => actionHtml(action, drawing, fields));
  return `${others.map(elementHtml).join('')}<div class="actions">${buttons.join('')}</div>`;
};

export const drawCard = (card: Bag, hidden: Readonly<Record<string, string>>): string =>
  insideHtml(card, { hidden, nth: 0 });
