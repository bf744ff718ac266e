CREATE TABLE `additive_migrations` (
	`hash` text PRIMARY KEY NOT NULL
);
