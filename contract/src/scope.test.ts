import { expect, test } from 'vitest'
import * as z from 'zod'
import { queryOf, type Route } from './route.ts'
import { routes } from './routes.ts'
import { scopeParams, type ScopeParam } from './scope.ts'

const everyRoute = Object.values(routes).flatMap((noun) =>
  Object.values<Route>(noun).map((route) => ({ name: `${route.method} ${route.path}`, route })),
)
const scoped = everyRoute.filter(({ route }) => route.scope !== 'none')

/** Names of the fields that a schema takes. */
function fieldsOf(schema: z.ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType)
  if (schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodUnion ? schema.options.flatMap((option) => fieldsOf(option as z.ZodType)) : []
}

function takenFrom(route: Route, from: ScopeParam['from']): readonly string[] {
  return fieldsOf({ path: route.params, query: queryOf(route), body: route.body }[from])
}

test.each(scoped)('$name takes each parameter by which its scope is found', ({ route }) => {
  for (const { from, param } of scopeParams(route.scope)) expect(takenFrom(route, from)).toContain(param)
})

test.each(everyRoute)('$name names a shared connector if, and only if, it is open to guests', ({ route }) => {
  const shared = scopeParams(route.scope).flatMap((param) => param.shared ?? [])
  expect(shared).toEqual(route.guestReply === undefined ? [] : ['connectorId'])
  for (const param of shared) expect(takenFrom(route, 'path')).toContain(param)
})

const isRecord = ({ table }: ScopeParam) => !['organisation', 'approval', 'connector'].includes(table)
const recordNames = new Set(
  scoped.flatMap(({ route }) =>
    scopeParams(route.scope)
      .filter(isRecord)
      .map(({ param }) => param),
  ),
)
const aboutRecords = scoped.filter(({ route }) => scopeParams(route.scope).some(isRecord))

test.each(aboutRecords)(
  '$name declares every record that it names, so that none is another organisation’s',
  ({ route }) => {
    const declared = scopeParams(route.scope).map(({ from, param }) => `${from} ${param}`)
    for (const from of ['path', 'body'] as const)
      for (const name of takenFrom(route, from))
        if (recordNames.has(name) || name === 'comOrganisationId') expect(declared).toContain(`${from} ${name}`)
  },
)
