/** The problems of a description of a REST API, or what it calls and reads. */
import { type CheckedDescription, sourceDescriptions } from '@tributary/contract/source-descriptions'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes } from '../../app-services.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { parseRestDescription, restHosts } from '@tributary/engine/apis/custom/rest-api'

export function descriptionRoutes(app: AppRoutes): void {
  app.bind(sourceDescriptions.check, async (call) => {
    await countCredentialTest(app.services, call)
    return checkDescription(call.body.description)
  })
}

function checkDescription(text: string): Camel<CheckedDescription> {
  const { description, problems } = parseRestDescription(text)
  if (description === null) return { problems: problems.map((problem) => ({ ...problem })), hosts: [], tables: [] }
  const tables = description.engine === 'rest' ? Object.entries(description.streams) : []
  return {
    problems: [],
    hosts: [...restHosts(description)],
    tables: tables.flatMap(([name, { children = {} }]) => [name, ...Object.keys(children)]),
  }
}
