/** Starts, configures, observes and stops processes. */
export { taggedKey, threadKey, threadTag } from './core/thread-tag.js';
