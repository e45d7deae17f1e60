/** What the console shows when the address names nothing. */

interface FirstLook {
  /** A thread was shown before: from then on the person decides. */
  readonly looked: boolean;
  readonly newest: string | undefined;
  /** Of the surface, in px. */
  readonly width: number;
}

/** From here on a log has room; below, list and log take turns. The same as in operator.css. */
const ROOM_FOR_A_LOG_PX = 900;

/** WEB-24: the newest thread's log where there is room for one; the list where there is not. */
export const firstLook = ({ looked, newest, width }: FirstLook): string | undefined =>
  looked || width < ROOM_FOR_A_LOG_PX ? undefined : newest;
