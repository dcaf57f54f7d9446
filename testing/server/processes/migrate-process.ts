/**
 * Migrates a database in a separate process that tests can kill. Arguments: connection as JSON, folder of migrations.
 */
import type { ClientConfig } from 'pg'
import { migrate, readMigrations } from '../../../server/src/kernel/migrations/migrate.ts'

const [, , connection = '', folder] = process.argv
await migrate(JSON.parse(connection) as ClientConfig, readMigrations(folder))
