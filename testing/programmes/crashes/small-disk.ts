/** A disk that can be filled and freed, with some tables of a PostgreSQL database on it. */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'

export interface SmallDisk extends AsyncDisposable {
  /** Fills the disk to its last byte. */
  fill(): Promise<void>
  free(): Promise<void>
}

/** Only root may mount a disk. For other users triggers raise the error that PostgreSQL raises on a full disk. */
export const isRealDisk = process.getuid?.() === 0

/** @param sql a superuser session in the database of the tables */
export function openSmallDisk(sql: Client, tables: readonly string[]): Promise<SmallDisk> {
  return isRealDisk ? mountSmallDisk(sql, tables) : simulateFullDisk(sql, tables)
}

async function mountSmallDisk(sql: Client, tables: readonly string[]): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', folder])
  const { rows } = await sql.query<{ folder: string }>(
    `SELECT setting AS folder FROM pg_settings WHERE name = 'data_directory'`,
  )
  const { uid, gid } = statSync(rows[0]?.folder ?? '')
  chownSync(folder, uid, gid)
  const space = `small_${process.pid}_${Date.now()}`
  await sql.query(`CREATE TABLESPACE ${space} LOCATION '${folder}'`)
  for (const table of tables) await sql.query(`ALTER TABLE ${table} SET TABLESPACE ${space}`)
  return {
    async fill() {
      await sql.query(`CREATE TABLE public.filler (n int, text text) TABLESPACE ${space}`)
      // Smaller and smaller inserts, until not even a page fits.
      for (const rows of [10_000, 1_000, 100, 1])
        await untilFull(() =>
          sql.query(`INSERT INTO public.filler SELECT n, repeat('x', 1000) FROM generate_series(1, ${rows}) n`),
        )
    },
    async free() {
      await sql.query('DROP TABLE public.filler')
    },
    async [Symbol.asyncDispose]() {
      for (const table of tables) await sql.query(`ALTER TABLE ${table} SET TABLESPACE pg_default`)
      await sql.query(`DROP TABLESPACE ${space}`)
      execFileSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}

async function untilFull(add: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await add()
    } catch (error) {
      if ((error as { code?: string }).code === '53100') return
      throw error
    }
  }
}

async function simulateFullDisk(sql: Client, tables: readonly string[]): Promise<SmallDisk> {
  await sql.query(`CREATE FUNCTION public.no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'could not extend file "base/16384/2608": No space left on device' USING ERRCODE = '53100', HINT = 'Check free disk space.'; END $$`)
  return {
    async fill() {
      for (const table of tables)
        await sql.query(
          `CREATE TRIGGER no_space BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION public.no_space()`,
        )
    },
    async free() {
      for (const table of tables) await sql.query(`DROP TRIGGER no_space ON ${table}`)
    },
    async [Symbol.asyncDispose]() {
      await sql.query('DROP FUNCTION public.no_space() CASCADE')
    },
  }
}
