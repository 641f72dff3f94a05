import type { Template } from '../template.js';
import { mariadb } from './mariadb/index.js';
import { mongodb } from './mongodb/index.js';
import { mysql } from './mysql/index.js';
import { postgresql } from './postgresql/index.js';
import { qdrant } from './qdrant/index.js';
import { redis } from './redis/index.js';

/** The templates of the panel. A further one is a folder beside these and a line here. */
export const TEMPLATES: readonly Template[] = [postgresql, mysql, mariadb, mongodb, redis, qdrant];
