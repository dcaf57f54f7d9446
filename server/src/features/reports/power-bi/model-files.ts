/** The files of the semantic model: https://learn.microsoft.com/power-bi/developer/projects/projects-dataset */
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import type { ReportModel } from '../report-model.ts'
import { dateTable, dateTableName } from './date-table.ts'
import { fileName, UniqueNames } from './names.ts'
import type { ProjectFile } from './project-file.ts'
import type { ModelRelationship } from './relationships.ts'
import { portalRole } from './roles.ts'
import type { SemanticModel } from './semantic-model.ts'
import { tableObject } from './table-objects.ts'
import { parameterObjects } from './table-query.ts'
import { tmdlColumn, tmdlDocument, tmdlName, type TmdlObject } from './tmdl.ts'

const culture = 'en-US'
/** Microsoft's library fails on a culture without content. */
const cultureText = `culture ${culture}

\tlinguisticMetadata =
\t\t\t{
\t\t\t  "Version": "1.0.0",
\t\t\t  "Language": "${culture}"
\t\t\t}
\t\tcontentType: json
`

export function modelFiles(model: ReportModel, semantic: SemanticModel): readonly ProjectFile[] {
  const { id } = model.organisation
  const role = portalRole(semantic)
  const tables = [dateTable(id), ...semantic.tables.map((table) => tableObject(table, id))]
  const names = new UniqueNames()
  const file = (path: string, objects: readonly TmdlObject[]): ProjectFile => ({
    path: `definition/${path}.tmdl`,
    text: tmdlDocument(objects),
  })
  return [
    { path: 'definition/database.tmdl', text: 'database\n\tcompatibilityLevel: 1601\n' },
    { path: 'definition/model.tmdl', text: modelText(semantic, role) },
    file('expressions', parameterObjects(model, id)),
    ...(semantic.relationships.length === 0
      ? []
      : [
          file(
            'relationships',
            semantic.relationships.map((each) => relationshipObject(each, id)),
          ),
        ]),
    { path: `definition/cultures/${culture}.tmdl`, text: cultureText },
    ...(role === undefined ? [] : [file(`roles/${role.name}`, [role])]),
    ...tables.map((table) => file(`tables/${fileName(table.name, names)}`, [table])),
  ]
}

function modelText(semantic: SemanticModel, role: TmdlObject | undefined): string {
  const order = ['Server', 'Database', dateTableName, ...semantic.tables.map(({ name }) => name)]
  const references = [dateTableName, ...semantic.tables.map(({ name }) => name)].map(
    (name) => `ref table ${tmdlName(name)}`,
  )
  return [
    `model Model`,
    `\tculture: ${culture}`,
    `\tdefaultPowerBIDataSourceVersion: powerBI_V3`,
    `\tsourceQueryCulture: ${culture}`,
    '',
    // The date table replaces the hidden one that Power BI would add for each date.
    'annotation __PBI_TimeIntelligenceEnabled = 0',
    '',
    `annotation PBI_QueryOrder = ${JSON.stringify(order)}`,
    '',
    ...references,
    '',
    `ref culture ${culture}`,
    ...(role === undefined ? [] : ['', `ref role ${tmdlName(role.name)}`]),
    '',
  ].join('\n')
}

function relationshipObject({ from, to, isActive }: ModelRelationship, namespace: string): TmdlObject {
  return {
    kind: 'relationship',
    name: nameUuid(namespace, `relationship/${JSON.stringify([from, to])}`),
    properties: [
      ['isActive', isActive ? undefined : { reference: 'false' }],
      ['fromColumn', { reference: tmdlColumn(from.table, from.column) }],
      ['toColumn', { reference: tmdlColumn(to.table, to.column) }],
    ],
  }
}
