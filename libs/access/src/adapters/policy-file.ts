/** Reads a policy file, and says what is wrong with a bad one by line and column. */
import { compilePolicy } from '../core/compile-policy.js';
import type { Policy } from '../core/policy.js';
import { parsePlaced, readPlaced, type FileReading } from './placed-yaml.js';

export type PolicyFileReading = FileReading<Policy>;

export const parsePolicyText = (text: string, fileName: string): PolicyFileReading =>
  parsePlaced(text, fileName, compilePolicy);

/** The caller of a file that is away or wrong keeps the policy it has. */
export const readPolicy = (file: string): Promise<PolicyFileReading> => readPlaced(file, compilePolicy);
