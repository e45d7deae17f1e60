/** Starts the hub. */
import 'reflect-metadata';
import { bootProcess, configPrinter, explainRefusal } from '@triptych/assembly';
import { openHub } from './open-hub.js';

try {
  if (process.argv.includes('--print-config')) process.stdout.write(`${configPrinter(process.env)}\n`);
  else await openHub(await bootProcess('hub', process.env));
} catch (error) {
  process.exitCode = explainRefusal(error, (text) => process.stderr.write(text));
  process.exit();
}
