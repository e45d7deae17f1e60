/** Ties a test to the numbered rule of docs/SPEC.md that it proves. */
export const verifies = (
  id: string,
  name: string,
  body: () => void | Promise<void>,
  timeoutMs?: number,
): void => {
  it(
    `${id} ${name}`,
    async () => {
      await body();
    },
    timeoutMs,
  );
};
