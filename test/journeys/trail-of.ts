/** Reads the sealed trail of a tenant where the product keeps it, as its auditors are shown it. */
import { AuditReader, isRecord, RedisSealedTrail, type AuditItem } from '@triptych/audit';
import type { Product } from '@triptych/testkit';
import { Redis } from 'ioredis';

/** More than any of these tests leaves. */
const MANY = 500;

/** Oldest first. */
export const trailOf = async (
  product: Product,
  query: { readonly thread?: string; readonly action?: string } = {},
  tenant = 'default',
): Promise<readonly AuditItem[]> => {
  const redis = new Redis(product.redisUrl());
  try {
    const { items } = await new AuditReader(new RedisSealedTrail(redis)).page(tenant, {
      ...query,
      limit: MANY,
    });
    return items.filter(isRecord).toReversed();
  } finally {
    redis.disconnect();
  }
};
