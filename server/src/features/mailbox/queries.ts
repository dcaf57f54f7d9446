import type { Db } from '../../kernel/store/store.ts'

/** Mail that has a body, newest first. */
export function listMail(db: Db, limit: number) {
  return db
    .selectFrom('mail')
    .select(['id', 'recipient as to', 'body', 'createdAt as createdAtUtc'])
    .where('body', 'is not', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}
