/** Hands a file to the browser to keep. */

/** Long enough for the browser to have taken it. */
const KEPT_MS = 60_000;

export const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
};
