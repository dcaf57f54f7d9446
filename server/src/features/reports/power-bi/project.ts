/**
 * A Power BI project: a semantic model in TMDL and a report that shows it, as files for Power BI Desktop and for git.
 * https://learn.microsoft.com/power-bi/developer/projects/projects-overview
 */
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import type { ReportModel } from '../report-model.ts'
import { modelFiles } from './model-files.ts'
import { fileName, UniqueNames } from './names.ts'
import { json, type ProjectFile } from './project-file.ts'
import { readme } from './readme.ts'
import { reportFiles } from './report-files.ts'
import { createSemanticModel } from './semantic-model.ts'

const schemas = 'https://developer.microsoft.com/json-schemas/fabric'

/** Pure: the same model gives the same bytes. The paths begin with the folder of the project. */
export function powerBiProject(model: ReportModel): readonly ProjectFile[] {
  const name = projectName(model.organisation.name)
  const { id } = model.organisation
  const semantic = createSemanticModel(model)
  const [report, dataset] = [`${name}.Report`, `${name}.SemanticModel`]
  const within = (folder: string, files: readonly ProjectFile[]) =>
    files.map(({ path, text }) => ({ path: `${folder}/${path}`, text }))
  return within(name, [
    json(`${name}.pbip`, {
      $schema: `${schemas}/pbip/pbipProperties/1.0.0/schema.json`,
      version: '1.0',
      artifacts: [{ report: { path: report } }],
      settings: { enableAutoRecovery: true },
    }),
    { path: '.gitignore', text: '**/.pbi/localSettings.json\n**/.pbi/cache.abf\n' },
    { path: 'README.md', text: readme(name, semantic) },
    ...within(report, [
      platform('Report', name, nameUuid(id, 'report')),
      json('definition.pbir', {
        $schema: `${schemas}/item/report/definitionProperties/2.0.0/schema.json`,
        version: '4.0',
        datasetReference: { byPath: { path: `../${dataset}` } },
      }),
      ...reportFiles(semantic, model.organisation.name),
    ]),
    ...within(dataset, [
      platform('SemanticModel', name, nameUuid(id, 'semantic-model')),
      json('definition.pbism', {
        $schema: `${schemas}/item/semanticModel/definitionProperties/1.0.0/schema.json`,
        version: '4.0',
        settings: {},
      }),
      ...modelFiles(model, semantic),
    ]),
  ])
}

/** Short, because Windows limits the length of paths. */
export function projectName(organisation: string): string {
  return `${fileName(organisation, new UniqueNames()).slice(0, 30).replace(/^_+/u, '').trim()} Tributary`.trim()
}

function platform(type: 'Report' | 'SemanticModel', displayName: string, logicalId: string): ProjectFile {
  return json('.platform', {
    $schema: `${schemas}/gitIntegration/platformProperties/2.0.0/schema.json`,
    metadata: { type, displayName },
    config: { version: '2.0', logicalId },
  })
}
