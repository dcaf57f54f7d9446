/** Queries the store directly, without tenant filters and row-level security. */
import pg from 'pg'
import { inject } from 'vitest'

export class StoreTruth implements AsyncDisposable {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  /** Connects as the superuser, who bypasses row-level security. */
  static async open({ database }: pg.ClientConfig): Promise<StoreTruth> {
    const client = new pg.Client({ ...inject('postgres'), ...(database !== undefined && { database }) })
    await client.connect()
    return new StoreTruth(client)
  }

  /** Returns those of the ids that belong to an organisation that the user may not access. */
  async findForeignIds(userId: string, ids: ReadonlySet<string>): Promise<readonly string[]> {
    const { rows: tables } = await this.#client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name IN ('id', 'organisation_id') AND data_type = 'uuid'
       AND table_name NOT IN ('session', 'device', 'passkey') GROUP BY 1 HAVING count(*) = 2`,
    )
    const owned = tables.map(({ name }) => `SELECT id, organisation_id FROM ${name}`).join(' UNION ALL ')
    const { rows } = await this.#client.query<{ id: string }>(
      `WITH mine AS (SELECT organisation_id FROM membership WHERE user_id = $1),
         named AS (${owned} UNION ALL SELECT id, id FROM organisation UNION ALL
           SELECT user_id, organisation_id FROM membership AS one
           WHERE NOT EXISTS (SELECT FROM membership AS other JOIN mine USING (organisation_id) WHERE other.user_id = one.user_id))
       SELECT DISTINCT id FROM named
       WHERE id = ANY ($2) AND organisation_id NOT IN (SELECT organisation_id FROM mine)
       AND NOT EXISTS (SELECT FROM portal_user WHERE id = $1 AND provider_role_id IS NOT NULL)
       AND NOT EXISTS (SELECT FROM connector_share JOIN mine ON guest_id = mine.organisation_id WHERE connector_id = named.id)`,
      [userId, [...ids]],
    )
    return rows.map(({ id }) => id)
  }

  /** Describes rows that reference another organisation, for every foreign key of the store. */
  async findCrossings(): Promise<readonly string[]> {
    const { rows: keys } = await this.#client.query<ForeignKey>(
      `SELECT conname AS name, conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
         (SELECT json_agg(json_build_array(a.attname, b.attname)) FROM unnest(conkey, confkey) AS pair (one, other)
          JOIN pg_attribute AS a ON a.attrelid = conrelid AND a.attnum = one
          JOIN pg_attribute AS b ON b.attrelid = confrelid AND b.attnum = other) AS columns
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
       AND 2 = (SELECT count(*) FROM pg_attribute WHERE attrelid IN (conrelid, confrelid) AND attname = 'organisation_id' AND NOT attisdropped)`,
    )
    const found: string[] = []
    for (const { name, child, parent, columns } of keys) {
      const on = columns.map(([one, other]) => `child.${one} = parent.${other}`).join(' AND ')
      const { rows } = await this.#client.query<{ count: number }>(
        `SELECT count(*)::int FROM ${child} AS child JOIN ${parent} AS parent ON ${on} WHERE child.organisation_id <> parent.organisation_id`,
      )
      if ((rows[0]?.count ?? 0) > 0)
        found.push(`${String(rows[0]?.count)} rows of ${child} reference another organisation by ${name}`)
    }
    if (keys.length < 20) found.push(`only ${keys.length} foreign keys were found`)
    return found
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }
}

interface ForeignKey {
  readonly name: string
  readonly child: string
  readonly parent: string
  readonly columns: readonly (readonly [string, string])[]
}
