/** Replacement without prepared statements: PostgreSQL parses and plans each statement. */
export function prepareStatements(): void {}
