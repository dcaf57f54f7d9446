/** The store without named statements: PostgreSQL parses and plans each one. */
export function prepareStatements(): void {}
