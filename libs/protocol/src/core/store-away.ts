/** The one error that says: the store did not answer, and it is not known whether the write happened. */

export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** By name: the error may come from another copy of this module. */
export const isStoreAway = (error: unknown): boolean => error instanceof Error && error.name === 'StoreAway';
