/** The environment of every suite: a test that fails prints the last words of the processes it had started. */
import { TestEnvironment } from 'jest-environment-node';

export default class Environment extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name !== 'test_fn_failure') return;
    for (const tell of this.global.lastWords ?? [])
      process.stderr.write(`\n${test.name} failed, and this was said last:\n${tell()}\n`);
  }
}
