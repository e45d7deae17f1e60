/** Where a person opens a task: the one link that cards, modals and letters have. */
export type LinkTo = (taskId: string) => string;

export const linksTo =
  (publicUrl: string): LinkTo =>
  (taskId) =>
    `${publicUrl}/reviewer?task=${encodeURIComponent(taskId)}`;
