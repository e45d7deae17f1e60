export default async function () {
  globalThis.__REDIS__?.kill('SIGTERM');
}
