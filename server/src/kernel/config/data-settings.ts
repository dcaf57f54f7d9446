/** Databases, the master keys that encrypt their secrets, and the hosts that connectors may reach. */
import { list, optionalText } from './setting.ts'

export const dataSettings = {
  /** Null: the embedded PostgreSQL. */
  databaseUrl: optionalText('DATABASE_URL', {
    isRequired: true,
    secret: 'password',
    example: 'postgres://tributary:password@db.example.com:5432/tributary',
    defaultText: 'a trial brings its own',
    meaning:
      'PostgreSQL 15 or newer, built with ICU as the usual packages are, and the database in UTF-8. The role owns the database and is neither superuser nor BYPASSRLS, or row level security would not hold for it. Only with `TRIBUTARY_MODE=production`: demonstration data goes only into a database made for it.',
  }),
  /** The PostgreSQL server of the organisations' warehouses. Null: the server of the store. */
  warehouseUrl: optionalText('TRIBUTARY_WAREHOUSE_URL', {
    secret: 'password',
    example: 'postgres://warehouses:password@db.example.com:5432/postgres',
    defaultText: 'the server of DATABASE_URL',
    meaning:
      'A PostgreSQL whose role may create databases and roles, for the organisations that have no database of their own. Without it the role of `DATABASE_URL` needs `CREATEDB CREATEROLE`.',
  }),
  /** `host:port` or CIDR blocks of private addresses that connectors may connect to. */
  allowHosts: list('TRIBUTARY_ALLOW_HOSTS', {
    example: 'erp.internal:1433,10.20.0.0/16',
    meaning:
      '`host:port` or networks that connectors may reach although they are private; separated by commas. Everything else that is not a public address is refused; metadata addresses, our own listeners and the store always are.',
  }),
}

export const masterKeySettings = {
  current: optionalText('TRIBUTARY_MASTER_KEY', {
    isRequired: true,
    secret: 'whole',
    example: 'the output of: openssl rand -base64 32',
    defaultText: 'a trial makes its own',
    meaning:
      '32 random bytes in base64. Keep it apart from the backups: without it the stored credentials cannot be read, with it they can. The file may hold several, a line each: the first wraps, the others open; it is read again while the server runs ([keys.md](keys.md)).',
  }),
  old: list('TRIBUTARY_MASTER_KEYS_OLD', {
    secret: 'whole',
    meaning:
      'To rotate without a file: other master keys, separated by commas, which only open. At the start what they wrapped is wrapped by TRIBUTARY_MASTER_KEY; then leave them out ([keys.md](keys.md)).',
  }),
}
