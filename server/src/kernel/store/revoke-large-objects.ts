import type { Client } from 'pg'

/**
 * Revokes the functions that write large objects, in the client's database: PostgreSQL grants them to PUBLIC, and they could fill
 * the disk. Only a superuser can do this; if the admin is not one, the operator revokes them.
 */
export async function revokeLargeObjects(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ signature: string }>(
    `SELECT pg_proc.oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^lo_|^lo(write|read)$'
       AND has_function_privilege('public', pg_proc.oid, 'EXECUTE')
       AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)`,
  )
  for (const { signature } of rows) await admin.query(`REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`)
}
