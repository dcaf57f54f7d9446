/** The text that explains the project to the person who opens it. */
import { roleName } from './roles.ts'
import type { SemanticModel } from './semantic-model.ts'

export function readme(name: string, { tables }: SemanticModel): string {
  const hasRole = tables.some(({ source }) => source.purpose === 'rights')
  return `# ${name}

A Power BI project that Tributary generated: tables, relationships, measures and a report.

1. Open \`${name}.pbip\` in Power BI Desktop of August 2025 or newer. In older versions, turn on projects and TMDL under
   **File**, **Options**, **Preview features**.
2. Choose **Refresh**. When Power BI asks for credentials, choose **Database** and enter the user and password from
   **Connect your reports** in Tributary.
3. Change the report as you like. Downloading the project again gives a new copy; it does not change this one.

The parameters Server and Database say where the data is. FirstYear, LastYear and LastMonthOfFiscalYear set the date table.
${hasRole ? `\nThe role **${roleName}** limits plan tables to the rows that the portal grants to each person's email address. After you publish,\nadd people to it under **Security** of the semantic model. Tables of connectors are not limited by it.\n` : ''}`
}
