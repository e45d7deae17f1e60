/** Serves the web surfaces: their pages and what they load. */
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';

/** Files with a hash in their name never change; pages name the newest ones. */
const setCaching = (response: Response, path: string): void => {
  const forever = /[\\/]assets[\\/]/u.test(path);
  response.setHeader('Cache-Control', forever ? 'public, max-age=31536000, immutable' : 'no-cache');
};

export const servePages = (app: NestExpressApplication, folder: string): void => {
  app.useStaticAssets(folder, {
    extensions: ['html'],
    index: 'index.html',
    redirect: false,
    setHeaders: setCaching,
  });
};
