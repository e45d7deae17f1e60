/** Preloaded into every child of the launcher: a launcher that dies without a word takes its children along. */

/** Time to leave in order before leaving anyway. */
const LEAVE_WITHIN_MS = 10_000;

const leave = () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), LEAVE_WITHIN_MS).unref();
};

// The launcher may be gone before this line runs; `connected` is undefined where there never was a channel.
if (process.connected === false) leave();
process.once('disconnect', leave);
process.channel?.unref();
