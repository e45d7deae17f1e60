/** `npm run bench [-- name…] [--publish]`: measures in ratios against others of the same minute; fails only when something was lost. */
import { machine } from '../bench/kit/machine.mjs';
import { publish, tableOf } from '../bench/kit/table.mjs';

/** In the order of the published table. */
const NAMES = [
  'fanout',
  'bursts',
  'latency',
  'append',
  'idle',
  'herd',
  'stalled',
  'sse',
  'long-thread',
  'handshakes',
  'inbox',
  'audit',
  'deltas',
  'acks',
  'limited',
  'cards',
  'pages',
];

const asked = process.argv.slice(2).filter((argument) => argument !== '--publish');
const publishing = process.argv.includes('--publish');
const unknown = asked.find((name) => !NAMES.includes(name));
if (unknown !== undefined || (publishing && asked.length > 0)) {
  console.error(`npm run bench [-- name…], or -- --publish for all of them. There are: ${NAMES.join(', ')}.`);
  process.exit(2);
}

const rows = [];
for (const name of asked.length > 0 ? asked : NAMES) {
  const began = performance.now();
  const { bench } = await import(`../bench/${name}.mjs`);
  const found = await bench().catch((error) => {
    console.error(error.stack);
    process.exitCode = 1;
    return [
      { what: `${name}: ${error.message.split('\n')[0]}`, figure: '–', goal: 'nothing lost', met: false },
    ];
  });
  console.log(tableOf(found));
  console.log(`${name} took ${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
  rows.push(...found);
}
const page = `${tableOf(rows)}\n\n${machine()}`;
if (publishing && process.exitCode !== 1) publish(page);
else console.log(page);
process.exit();
