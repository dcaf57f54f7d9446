/** Migrates a database in a process of its own, to be killed by tests. Its arguments say which, and from which folder. */
import type { ClientConfig } from 'pg'
import { migrate, readMigrations } from '../../../server/src/kernel/migrations/migrate.ts'

const [, , connection = '', folder] = process.argv
await migrate(JSON.parse(connection) as ClientConfig, readMigrations(folder))
