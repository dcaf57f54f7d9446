/** The collation of text in a MySQL or MariaDB target. */
import type { MysqlConnection } from '../connection.ts'

/** Without padding where the server has such a collation, so that a blank at the end is significant. */
export async function exactCollation(connection: MysqlConnection): Promise<string> {
  const [row] = await connection.rows(
    `SELECT collation_name AS name FROM information_schema.collations WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin')
     ORDER BY FIELD(collation_name, 'utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin') LIMIT 1`,
  )
  return row?.['name'] ?? 'utf8mb4_bin'
}
