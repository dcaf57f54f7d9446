/** The tables that the chaos tests sync, changes to them, and the figures that compare source and target. */

export function sourceSql(rows: number): string {
  return `
    CREATE SCHEMA chaos;
    CREATE TABLE chaos.wide (id bigint PRIMARY KEY, name text, amount numeric(18,4), at timestamptz, extra jsonb);
    INSERT INTO chaos.wide SELECT n, repeat('row ' || n || ' ', 8), n * 1.0625, '2026-01-01'::timestamptz + n * interval '1 second', jsonb_build_object('n', n)
      FROM generate_series(1, ${rows}) n;
    CREATE TABLE chaos.pair (one int, other int, note text, PRIMARY KEY (one, other));
    INSERT INTO chaos.pair SELECT n / 10, n % 10, E'tab\\tand\\nline ' || n FROM generate_series(1, ${Math.ceil(rows / 4)}) n;
    GRANT USAGE ON SCHEMA chaos TO shop_reader; GRANT SELECT ON ALL TABLES IN SCHEMA chaos TO shop_reader; ANALYZE`
}

/** Inserts, updates and deletes rows. */
export function changeSql(random: () => number): string {
  const pick = (most: number) => Math.floor(random() * most) + 1
  return `
    INSERT INTO chaos.wide SELECT m + n, 'new ' || n, n / 3.0, now(), NULL FROM (SELECT max(id) AS m FROM chaos.wide) x, generate_series(1, ${pick(3_000)}) n;
    UPDATE chaos.wide SET name = name || '!', amount = -amount WHERE id % ${pick(40) + 10} = 0;
    DELETE FROM chaos.wide WHERE id % ${pick(400) + 100} = 7;
    UPDATE chaos.pair SET note = NULL WHERE one % ${pick(50) + 10} = 0;
    DELETE FROM chaos.pair WHERE one % ${pick(400) + 100} = 3`
}

export function figuresOf(prefix: string): string {
  const sum = (columns: string) => `sum(hashtextextended(ROW(${columns})::text, 0)::numeric)::text`
  return `
    SELECT 'wide' AS name, count(*)::int AS rows, count(DISTINCT id)::int AS keys, ${sum('id, name, amount, at, extra')} AS checksum FROM ${prefix}wide
    UNION ALL SELECT 'pair', count(*)::int, count(DISTINCT (one, other))::int, ${sum('one, other, note')} FROM ${prefix}pair ORDER BY name`
}
