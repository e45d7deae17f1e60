/** How fast a scripted agent is at human pace; all of it is scaled by SPEED. */

/** About as fast as people read a language model's answer. */
export const WORD_MS = 45;
/** Thinking runs by faster, nobody reads along. */
export const THOUGHT_MS = 20;
/** Between two pieces of a tool's arguments. */
export const PIECE_MS = 30;
/** Between two things said or done. */
export const BREATH_MS = 250;
/** A tool at work. */
export const TOOL_MS = 900;

/** Longer runs without a space (an address, Chinese) come in parts as well. */
const WORDS = /\S{1,16}\s*/gu;
/** Arguments come in pieces that cut through names and numbers, as models send them. */
const PIECES = /.{1,18}/gsu;

export const wordsOf = (text: string): readonly string[] => text.match(WORDS) ?? [];
export const piecesOf = (text: string): readonly string[] => text.match(PIECES) ?? [];
