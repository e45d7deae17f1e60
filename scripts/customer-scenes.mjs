/** What a customer comes across besides waiting: each is a state of the page, brought about in the running product. */
export const TALL = { width: 1_440, height: 1_100 };
const RUTH = { sub: 'ruth', roles: ['supervisor'], groups: ['advisors'] };
const REASON = 'Please tell us first where the money comes from.';

/** Asks the hub; `body` makes it a POST. */
export const asking =
  (url) =>
  (path, { body, token, headers } = {}) =>
    fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });

const say = async (page, words) => {
  await page.getByRole('textbox').fill(words);
  await page.keyboard.press('Enter');
};

export const customerWaits = async (page, request = 'I would like to open an account with 2 million') => {
  await say(page, request);
  await page.getByRole('heading', { name: 'An adviser is reviewing this' }).waitFor();
};

const decide = async (ask, page, answer) => {
  const { token } = await (await ask('/v1/dev/token', { body: RUTH })).json();
  const thread = new URL(page.url()).searchParams.get('thread');
  const { items } = await (await ask(`/v1/approvals?threadId=${thread}`, { token })).json();
  const [{ taskId, rev, proposalHash }] = items;
  const body = { ...answer, proposalHash };
  await ask(`/v1/approvals/${taskId}/decide`, { body, token, headers: { 'if-match': `"${rev}"` } });
};

/** On the same device, which knows what the other conversations are called. */
const another = async (home) => {
  const page = await home.context().newPage();
  await page.goto(new URL('/customer', home.url()).href);
  return page;
};

const opened = async ({ home, keep, ask }) => {
  const page = await another(home);
  await customerWaits(page, 'Open an account with 3 million');
  await decide(ask, page, { verb: 'approve' });
  await page.getByText(/^An adviser agreed\. Your account .* mandate\.$/).waitFor();
  await keep(page, 'customer-opened');
};

const declined = async ({ home, keep, ask }) => {
  const page = await another(home);
  await customerWaits(page, 'Open an account with 4 million');
  await decide(ask, page, { verb: 'reject', reason: REASON });
  await page.getByText('is glad to take your call').waitFor();
  await keep(page, 'customer-declined');
};

/** A browser that is told it is offline keeps the sockets it has: they are cut by hand. */
const cuttable = async (context) => {
  const lines = [];
  let cut = false;
  await context.routeWebSocket(/.*/, (line) => {
    if (cut) return line.close();
    line.connectToServer();
    lines.push(line);
  });
  return async () => {
    cut = true;
    await context.setOffline(true);
    await Promise.all(lines.map((line) => line.close()));
  };
};

const offline = async ({ open, keep }) => {
  const page = await open('customer');
  const cut = await cuttable(page.context());
  await page.reload();
  await customerWaits(page, 'Open an account with 5 million');
  await cut();
  await page.getByText('You’re offline').waitFor();
  await keep(page, 'customer-offline');
};

const midstream = async ({ home, keep }) => {
  const page = await another(home);
  await say(page, 'Open an account with 400,000');
  await page.locator('.steps li.now').waitFor();
  await keep(page, 'customer-midstream');
};

const question = async ({ home, keep }) => {
  const page = await another(home);
  await page.getByText('Flights and a hotel').click();
  await say(page, 'A weekend away');
  await page.getByRole('button', { name: 'Send answers' }).click();
  await page.locator('.err-text').first().waitFor();
  await keep(page, 'customer-question');
};

const chinese = async ({ open, keep }) => {
  const page = await open('customer', { locale: 'zh-CN' });
  await say(page, 'Open an account with 6 million');
  await page.getByRole('heading', { name: '顾问正在审核您的申请' }).waitFor();
  await keep(page, 'customer-zh', TALL);
};

export const customerScenes = async (tools) => {
  for (const scene of [midstream, question, opened, declined, offline, chinese]) await scene(tools);
};
