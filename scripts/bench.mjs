/** `npm run bench`: measures in ratios against a yardstick of the same minute; fails only when something was lost. */
import { benchFanout } from '../bench/fanout.mjs';

const BENCHES = { fanout: benchFanout };
const [name = 'fanout'] = process.argv.slice(2);
const bench = BENCHES[name];

if (!bench) {
  console.error(`No bench "${name}"; there are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
try {
  await bench();
  process.exit(0);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
