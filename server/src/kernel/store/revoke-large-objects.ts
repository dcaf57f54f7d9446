import type { Client } from 'pg'

/**
 * Revokes them in the database that the client is connected to: PostgreSQL lets everybody write large objects, which fill the disk. Only a superuser owns these functions: on a server whose admin
 * is none, the operator revokes them.
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
