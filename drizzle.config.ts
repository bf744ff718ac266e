// For `npm run db:generate`, which compares db/tables with db/migrations and writes the next migration there.
export default { dialect: 'sqlite', schema: './db/tables', out: './db/migrations' }
