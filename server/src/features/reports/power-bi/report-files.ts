/** The files of the report: https://learn.microsoft.com/power-bi/developer/projects/projects-report */
import { reportPages } from './pages.ts'
import type { ProjectFile } from './project-file.ts'
import { json } from './project-file.ts'
import type { SemanticModel } from './semantic-model.ts'
import { theme } from './theme.ts'
import { visualFile } from './visuals.ts'

const schemas = 'https://developer.microsoft.com/json-schemas/fabric/item/report/definition'
/** The versions of the schemas in use; Power BI Desktop of August 2025 and newer reads them. */
const versions = { report: '3.0.0', page: '2.0.0', visual: '2.2.0' } as const
const themeFile = 'Tributary.json'

/** @param name of the report in Power BI */
export function reportFiles(model: SemanticModel, organisation: string): readonly ProjectFile[] {
  const pages = reportPages(model, organisation)
  return [
    json('definition/version.json', { $schema: `${schemas}/versionMetadata/1.0.0/schema.json`, version: '2.0.0' }),
    json('definition/report.json', reportSettings()),
    json('definition/pages/pages.json', {
      $schema: `${schemas}/pagesMetadata/1.0.0/schema.json`,
      pageOrder: pages.map(({ id }) => id),
      activePageName: pages[0]?.id,
    }),
    json(`StaticResources/RegisteredResources/${themeFile}`, theme),
    ...pages.flatMap(({ id, title, visuals }) => [
      json(`definition/pages/${id}/page.json`, {
        $schema: `${schemas}/page/${versions.page}/schema.json`,
        name: id,
        displayName: title,
        displayOption: 'FitToPage',
        height: 720,
        width: 1280,
      }),
      ...visuals.map((visual, at) => {
        const name = `${id}_${at + 1}`
        return json(`definition/pages/${id}/visuals/${name}/visual.json`, visualFile(visual, name, at))
      }),
    ]),
  ]
}

function reportSettings(): object {
  return {
    $schema: `${schemas}/report/${versions.report}/schema.json`,
    themeCollection: {
      customTheme: { name: themeFile, reportVersionAtImport: versions, type: 'RegisteredResources' },
    },
    resourcePackages: [
      {
        name: 'RegisteredResources',
        type: 'RegisteredResources',
        items: [{ name: themeFile, path: themeFile, type: 'CustomTheme' }],
      },
    ],
    settings: { useEnhancedTooltips: true, defaultDrillFilterOtherVisuals: true },
  }
}
