/** The cells of the table: one person at one door, asking for one thing. */
import { type Answered, isLine, Line } from './ask.js';
import { EVERYBODY, type Name, namesIn, TOKENLESS } from './people.js';
import { type Row, type Surface, SURFACES } from './row.js';
import type { AccessStage, Things } from './stage.js';
import { KNOWS, OPENS } from './table/index.js';

export interface Cell {
  readonly who: Name;
  readonly door: string;
  readonly row: Row;
  /** How they are to be answered. */
  readonly code: string;
  readonly ask: (things: Things) => Promise<Answered>;
}

type Answers = Row['answers'];

/** Whom the table forgets, and whom it names twice. */
export const misnamed = (answers: Answers, all: readonly Name[]): readonly string[] => {
  const named = Object.values(answers).flatMap(namesIn);
  return [
    ...all.filter((name) => !named.includes(name)).map((name) => `${name} is not named`),
    ...named.filter((name, nth) => named.indexOf(name) !== nth).map((name) => `${name} is named twice`),
    ...named.filter((name) => !EVERYBODY.includes(name)).map((name) => `${name} is nobody`),
  ];
};

export const codeFor = (answers: Answers, who: Name): string =>
  Object.entries(answers).find(([, names]) => namesIn(names).includes(who))?.[0] ?? 'not in the table';

const SIGNED_IN = EVERYBODY.filter((name) => !(TOKENLESS as readonly Name[]).includes(name));

export const openersOf = (surface: Surface): readonly Name[] => namesIn(OPENS[surface]);

/** To them it is not there. */
export const isBlind = ({ row, who }: Cell): boolean =>
  row.names !== undefined && !namesIn(KNOWS[row.names][row.of] ?? '').includes(who);

const NO = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND']);
/** It is refused, or there is nothing in it for them. */
export const isNo = (cell: Cell): boolean => NO.has(cell.code) || isBlind(cell);

/** One socket a person and surface, for all that is asked on it. */
export class Lines {
  private readonly open = new Map<string, Promise<Line>>();

  constructor(private readonly stage: AccessStage) {}

  on(path: string, who: Name): Promise<Line> {
    const key = `${path} ${who}`;
    const line = this.open.get(key) ?? this.dial(path, who);
    this.open.set(key, line);
    return line;
  }

  async close(): Promise<void> {
    for (const line of this.open.values()) await (await line).close();
    this.open.clear();
  }

  private async dial(path: string, who: Name): Promise<Line> {
    const line = await Line.open(this.stage.product.url, path, this.stage.tokens[who]);
    if (!isLine(line)) throw new Error(`${who} may not open ${path}: ${line.said}`);
    return line;
  }
}

const httpCells = (stage: AccessStage, row: Row): readonly Cell[] => {
  const { http } = row;
  if (!http) return [];
  return EVERYBODY.map((who) => ({
    ...{ who, row, door: http.door, code: codeFor(row.answers, who) },
    ask: (things) => stage.ask(who, http.asked(things)),
  }));
};

const frameCells = (stage: AccessStage, lines: Lines, row: Row): readonly Cell[] => {
  const { frame } = row;
  if (!frame) return [];
  return (row.on ?? SURFACES).flatMap((surface) =>
    openersOf(surface).map((who): Cell => ({
      ...{ who, row, door: `/ws/${surface}`, code: codeFor(row.answers, who) },
      ask: async (things) => {
        const { event, data } = frame(things, stage.tokens);
        return (await lines.on(`/ws/${surface}`, who)).ask(event, data);
      },
    })),
  );
};

const plainCells = (stage: AccessStage, row: Row): readonly Cell[] => {
  const { plain } = row;
  if (!plain) return [];
  return SIGNED_IN.map((who) => ({
    ...{ who, row, door: '/ws/agui', code: codeFor(row.answers, who) },
    ask: async (things) => {
      const { agent, input } = plain(things);
      const opened = await Line.open(stage.product.url, `/ws/agui?agent=${agent}`, stage.tokens[who]);
      if (!isLine(opened)) return opened;
      const answered = await opened.tell(input);
      await opened.close();
      return answered;
    },
  }));
};

export const cellsOf = (stage: AccessStage, lines: Lines, row: Row): readonly Cell[] => [
  ...httpCells(stage, row),
  ...frameCells(stage, lines, row),
  ...plainCells(stage, row),
];
