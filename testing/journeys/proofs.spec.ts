/** Verification, history, closed periods and marks: an administrator reads them on books that the journey changes. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { RunDetail } from '@tributary/contract/runs'
import { expectAccessible } from './accessible.ts'
import { runInBuiltIn } from './built-in-database.ts'
import { makeConnectorIn } from './journey-connector.ts'
import { apiAs, password, signInToNewOrganisation } from './people.ts'
import { expect, test } from './portal.ts'

const secret = 'harbour-own-books'

interface Books {
  readonly name: string
  /** Opens a view of the connector. */
  readonly open: (view: 'verification' | 'history' | 'closedPeriods') => Promise<void>
  readonly run: () => Promise<void>
  /** Runs a statement in the database of the source, and of the target if it has its own. */
  readonly change: (statement: string) => Promise<void>
}

/** Signs in to a new organisation with a connector that moves three entries, into a schema of the same database or the warehouse. */
async function signInWithBooks(page: Page, target: 'own' | 'warehouse'): Promise<Books> {
  const { emailAddress } = await signInToNewOrganisation(page, page.request)
  const owner = `books_${randomUUID().slice(0, 8)}`
  await runInBuiltIn(`CREATE DATABASE ${owner}`)
  // The trial's server accepts connections over TCP only from members of this role.
  await runInBuiltIn(`CREATE ROLE ${owner} LOGIN PASSWORD '${secret}' IN ROLE tributary_warehouse_reader`)
  const change = (statement: string) => runInBuiltIn(statement, owner)
  await change(
    `CREATE SCHEMA books; CREATE SCHEMA copy AUTHORIZATION ${owner};
     CREATE TABLE books.entry (id int PRIMARY KEY, day date, amount numeric(20, 2), note text, updated_at timestamptz DEFAULT now());
     INSERT INTO books.entry VALUES (1, '2026-03-05', 100, 'Rent'), (2, '2026-03-31', 250.10, 'Paper'), (3, '2026-07-01', 5, 'Tea');
     GRANT USAGE ON SCHEMA books TO ${owner}; GRANT SELECT ON books.entry TO ${owner}`,
  )
  // While a transaction of another journey is older than these rows, a run cannot prove that it has read them.
  await change(
    `DO $$ BEGIN
       WHILE pg_snapshot_xmin(pg_current_snapshot())::text::bigint <= (SELECT max(xmin::text::bigint) FROM books.entry) LOOP
         PERFORM pg_sleep(0.1);
       END LOOP;
     END $$`,
  )
  const admin = await apiAs(page.request, emailAddress, password)
  const [organisation] = await admin.get<{ Id: string }[]>('/organisations')
  const types = await admin.get<ConnectorType[]>('/tributary/clients/connector-types')
  const shop = types.find(({ Type }) => Type === 'postgres')?.Demo?.['source.connectionString'] as object
  const connection = { ...shop, database: owner, user: owner, password: secret }
  const own = { 'target.connectionString': { connector: 'postgres', ...connection }, 'target.schema': 'copy' }
  const { id, name, clientId } = await makeConnectorIn(admin, organisation?.Id ?? '', 'postgres', {
    'source.connectionString': connection,
    ...(target === 'own' && own),
  })
  const path = `/tributary/clients/${clientId}/connectors/${id}`
  return {
    name,
    change,
    async open(view) {
      await page.goto(`/connectors/postgres/refresh?connector=${id}&view=${view}`)
    },
    async run() {
      const { RunId } = await admin.post<{ RunId: string }>(`${path}/process`, {})
      await expect
        .poll(async () => (await admin.get<RunDetail>(`${path}/runs/${RunId}`)).Status, { timeout: 60_000 })
        .toBe('COMPLETED')
    },
  }
}

test('[TRUST-2] an administrator verifies a connector, sees both values of each row that differs with its cause, and repairs the table', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { name, open, run, change } = await signInWithBooks(page, 'own')
  await run()
  await open('verification')
  const drawer = page.getByRole('dialog', { name })
  const tables = drawer.getByRole('table', { name: 'Tables of the connector with their verification' })
  await expect(tables).toContainText(/Verified identical .*, 3 rows/u)

  await change(`UPDATE copy.books_entry SET note = 'Rent ' WHERE id = 1; DELETE FROM copy.books_entry WHERE id = 2`)
  await drawer.getByRole('button', { name: 'Verify now' }).click()
  await expect(drawer.getByRole('region', { name: 'Timeline' })).toContainText('Completed')
  await open('verification')
  await expect(tables).toContainText('2 rows differ')
  const rows = drawer.getByRole('table', { name: 'Rows that differ from the source' })
  await expect(rows.getByRole('row', { name: /^id 1/u })).toContainText(/source\s*Rent\s*target\s*Rent␣/u)
  await expect(rows.getByRole('row', { name: /^id 2/u })).toContainText('Missing in the target')
  await expect(rows).toContainText('Something other than Tributary changed it in the target.')
  await expectAccessible(page)

  await tables.getByRole('button', { name: 'Repair books_entry' }).click()
  const repair = page.getByRole('dialog', { name: 'Repair books_entry' })
  await expect(repair).toContainText('Changes made in the target are lost.')
  await expectAccessible(page)
  await repair.getByRole('button', { name: 'Repair', exact: true }).click()
  await expect(drawer.getByRole('region', { name: 'Timeline' })).toContainText('Completed')
  await open('verification')
  await expect(tables).toContainText(/Verified identical .*, 3 rows/u)
  await expect(drawer.getByRole('heading', { name: 'Rows that were repaired' })).toBeVisible()
  await page.goto('/trust')
  await expect(page.getByRole('list', { name: 'Sources' })).toContainText('Proven')
})

test('[TRUST-6] [TRUST-7] history is switched on for a table, its size is shown, and Data and the SQL editor read the rows as of an earlier run', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { name, open, run, change } = await signInWithBooks(page, 'warehouse')
  await run()
  await open('history')
  const drawer = page.getByRole('dialog', { name })
  await drawer.getByLabel('Keep history of').selectOption('Chosen tables')
  await drawer.getByRole('checkbox', { name: 'Keep history of books_entry' }).check()
  await drawer.getByLabel('Days to keep row versions of books_entry').fill('400')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toContainText('Begins with the next run: chosen here')
  await expectAccessible(page)
  await run()
  await change(`UPDATE books.entry SET note = 'Green tea', updated_at = now() WHERE id = 3`)
  await run()
  await open('history')
  await expect(drawer.getByRole('table', { name: 'History of the tables' })).toContainText(/3 rows,.*4 rows,/u)

  await page.goto('/data')
  const listed = page.getByRole('row', { name: /^books_entry/u })
  await expect(listed).toContainText('History since')
  await listed.getByRole('link', { name: 'books_entry' }).click()
  const grid = page.getByRole('grid', { name: 'Rows of books_entry' })
  await expect(grid).toContainText('Green tea')
  // The runs are listed with the latest first.
  await page.getByLabel('Rows as of').selectOption({ index: 2 })
  await expect(grid.getByRole('gridcell', { name: 'Tea', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/asOf=/u)
  await expectAccessible(page, () => expect(grid).toBeVisible())
  await page.getByRole('button', { name: 'SQL', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'SQL of these rows' })).toContainText('books_entry__as_of')

  await page.goto('/data/queries')
  const editor = page.getByRole('textbox', { name: 'SQL' })
  await editor.pressSequentially('SELECT count(*) AS entries FROM books_entry__as')
  await page.getByRole('option', { name: /books_entry__as_of/u }).waitFor()
  await expectAccessible(page, () => editor.focus())
  await editor.press('Enter')
  await expect(editor).toContainText(/books_entry__as_of\('\d{4}-\d\d-\d\dT\d\d:\d\dZ'\)/u)
  // The moment is selected, so that it can be typed over. The whole statement runs all the same.
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('region', { name: 'Result', exact: true }).or(page.getByRole('alert'))).toContainText(
    /1 row in|Nothing is known|history/u,
  )
})

test('[TRUST-9] [TRUST-10] a table that does not exist is reported, a change in a closed month is listed and acknowledged, and the books are marked and superseded', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const { name, open, run, change } = await signInWithBooks(page, 'warehouse')
  await run()
  await open('closedPeriods')
  const drawer = page.getByRole('dialog', { name })
  await drawer.getByText('Settings', { exact: true }).click()
  await drawer.getByRole('switch', { name: 'List changes in closed periods' }).click()
  await drawer.getByRole('textbox', { name: 'Table', exact: true }).fill('books.entries')
  await drawer.getByRole('textbox', { name: 'Date column' }).fill('day')
  await drawer.getByRole('textbox', { name: 'Amount column' }).fill('amount')
  await drawer.getByRole('textbox', { name: 'Closed up to' }).fill('30 Jun 2026')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toContainText('Closed up to 30 June 2026, by the date that an administrator has set.')
  await run()
  await expect(drawer).toContainText('The connector moves no table ‘books.entries’.', { timeout: 30_000 })
  await expectAccessible(page)
  await drawer.getByRole('textbox', { name: 'Table', exact: true }).fill('books.entry')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).not.toContainText('The connector moves no table')
  await run()
  await change(`UPDATE books.entry SET amount = 120, updated_at = now() WHERE id = 1`)
  await run()

  await open('closedPeriods')
  const changes = drawer.getByRole('table', { name: 'Documents changed in closed periods, latest first' })
  await expect(changes.getByRole('row', { name: /^Select Row 1/u })).toContainText(/Changed.*100\.00.*120\.00.*20\.00/u)
  await expectAccessible(page)
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('A late invoice, agreed')
  await drawer.getByRole('button', { name: 'Acknowledge the open change' }).click()
  await expect(drawer).toContainText('No open changes.')
  await drawer.getByLabel('State').selectOption('Acknowledged')
  await expect(changes).toContainText('A late invoice, agreed')

  await drawer.getByRole('textbox', { name: 'Name' }).fill('June 2026, board pack')
  await drawer.getByRole('textbox', { name: 'Last reported day' }).fill('30 Jun 2026')
  await drawer.getByRole('button', { name: 'Mark the last examined run as reported' }).click()
  const marks = drawer.getByRole('list', { name: 'Marks, latest first' })
  await expect(marks).toContainText('The next run creates its views.')
  await run()
  const view = 'reported_june_2026_board_pack_books_entry'
  await open('closedPeriods')
  await expect(marks).toContainText(view)
  await marks.getByRole('button', { name: 'Supersede June 2026, board pack' }).click()
  await expectAccessible(page)
  await marks.getByRole('textbox', { name: 'Why it is superseded' }).fill('Reported again')
  await marks.getByRole('button', { name: 'Supersede', exact: true }).click()
  await expect(marks).toContainText('Reported again')

  await change(`UPDATE books.entry SET amount = 999, updated_at = now() WHERE id = 1`)
  await run()
  await page.goto('/data')
  await page.getByRole('link', { name: view }).click()
  const grid = page.getByRole('grid', { name: `Rows of ${view}` })
  await expect(grid).toContainText('120.00')
  await expect(grid).not.toContainText('999.00')
  await expectAccessible(page, () => expect(grid).toBeVisible())
})
