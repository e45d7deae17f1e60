/** The file that is shipped, and one that is not there. */
import { verifies } from '../../../../test/spec/verifies.js';
import { readAgents } from './agents-file.js';

describe('readAgents', () => {
  verifies('AGT-1', 'reads the shipped agents', async () => {
    const read = await readAgents('config/agents.yaml', { SCRIPTED_AGENT_URL: 'http://127.0.0.1:4100' });
    expect(read.ok && read.agents.map(({ id, connect, resume }) => [id, connect, resume.idempotent])).toEqual(
      ['onboarding', 'refund', 'trip-planner', 'cards', 'slow-typist', 'fails', 'cut-off'].map((id) => [
        id,
        { type: 'http', url: `http://127.0.0.1:4100/${id}`, headers: {} },
        true,
      ]),
    );
  });

  verifies('AGT-3', 'says that a file cannot be read', async () => {
    expect(await readAgents('config/nothing.yaml', {})).toEqual({
      ok: false,
      problems: [{ message: 'cannot be read: ENOENT' }],
    });
  });
});
