/** The product as `npm start` gives it, for all tests of the file that imports this; it ends with them. */
import { Product } from '@triptych/testkit';

/** A cold start builds. */
const UP_MS = 90_000;

export let product: Product;
beforeAll(async () => {
  product = await Product.start();
}, UP_MS);
afterAll(async () => {
  await product?.stop();
}, UP_MS);
