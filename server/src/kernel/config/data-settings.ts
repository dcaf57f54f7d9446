/** Databases, the master keys that encrypt their secrets, and the hosts that connectors may reach. */
import { list, optionalText, text } from './setting.ts'

export const dataSettings = {
  /** Null: the embedded PostgreSQL. */
  databaseUrl: optionalText('DATABASE_URL', {
    isRequired: true,
    secret: 'password',
    example: 'postgres://tributary:password@db.example.com:5432/tributary',
    defaultText: 'a trial brings its own',
    meaning:
      'The store: PostgreSQL 15 or newer, built with ICU like the usual packages, with a database in UTF-8. The role owns the database. It must be neither superuser nor BYPASSRLS, because row level security does not apply to those. Requires `TRIBUTARY_MODE=production`: sample data is written only to a database that was created for it.',
  }),
  /** The PostgreSQL server of the organisations' warehouses. Null: the server of the store. */
  warehouseUrl: optionalText('TRIBUTARY_WAREHOUSE_URL', {
    secret: 'password',
    example: 'postgres://warehouses:password@db.example.com:5432/postgres',
    defaultText: 'the server of DATABASE_URL',
    meaning:
      'A PostgreSQL server whose role may create databases and roles, for organisations without their own database. Without this setting the role of `DATABASE_URL` needs `CREATEDB CREATEROLE`.',
  }),
  /** With `{organisation}`: replaced by the key of the organisation. */
  warehouseHost: optionalText('TRIBUTARY_WAREHOUSE_HOST', {
    example: '{organisation}.data.example.com',
    defaultText: 'the address of the server',
    meaning:
      'The host that connection details of warehouses name instead of their server, so that it stays when a warehouse moves to another server. `{organisation}` is replaced by the key of the organisation. Point each name, by DNS or by a proxy, at the server of its organisation.',
  }),
  /** Below the data folder. Empty: connectors cannot store Iceberg tables in a folder. */
  lakeFolder: text('TRIBUTARY_LAKE_FOLDER', {
    initial: { trial: 'lake', production: '' },
    meaning:
      'A folder for Iceberg tables without object storage and catalog, in the data folder unless the path is absolute. For trials: every process that moves rows must see it. If it is empty, connectors need a catalog.',
  }),
  /** `host:port` or CIDR blocks of private addresses that connectors may connect to. */
  allowHosts: list('TRIBUTARY_ALLOW_HOSTS', {
    example: 'erp.internal:1433,10.20.0.0/16',
    meaning:
      'Private `host:port` or networks that connectors may reach, separated by commas. All other addresses that are not public are refused. Metadata addresses, the listeners of Tributary and the store are always refused.',
  }),
}

export const masterKeySettings = {
  current: optionalText('TRIBUTARY_MASTER_KEY', {
    isRequired: true,
    secret: 'whole',
    example: 'the output of: openssl rand -base64 32',
    defaultText: 'a trial makes its own',
    meaning:
      '32 random bytes in base64. Keep it apart from the backups: it decrypts the stored credentials, and without it they are lost. The file may have several keys, one per line: the first wraps, the others only decrypt. It is read again while the server runs ([keys.md](keys.md)).',
  }),
  old: list('TRIBUTARY_MASTER_KEYS_OLD', {
    secret: 'whole',
    meaning:
      'For a rotation without a file: former master keys, separated by commas, which only decrypt. At the start, TRIBUTARY_MASTER_KEY wraps everything that they had wrapped; then remove them ([keys.md](keys.md)).',
  }),
}
