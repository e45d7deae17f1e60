/** The operator's tool beside the hub: `hubctl audit verify` and `hubctl audit erase`. */
import { HELP, run } from './commands.js';

/** What was asked could not be understood or done; 1 is kept for "the trail is not good". */
const NOT_DONE = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  process.exitCode = await run(process.argv.slice(2), process.env, say);
} catch (error) {
  process.stderr.write(`hubctl: ${error instanceof Error ? error.message : String(error)}\n${HELP}\n`);
  process.exitCode = NOT_DONE;
}
