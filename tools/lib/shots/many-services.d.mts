export function addManyServices(databaseUrl: string, count: number): Promise<void>;
