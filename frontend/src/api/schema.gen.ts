// Made by `npm run generate` from openapi.json. Do not edit.

export interface paths {
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["list_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["list_environments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/environments/{name}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["install_environment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["list_sessions"];
        put?: never;
        post: operations["start_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["get_session"];
        put?: never;
        post?: never;
        delete: operations["stop_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["session_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["check_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["site"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["list_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{template_id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["open_template"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            default: boolean;
            name: string;
        };
        App: {
            description: string;
            environments: string[];
            icon: string;
            name: string;
            title: string;
        };
        AuditEntry: {
            action: string;
            actor: string;
            address: string | null;
            /** Format: date-time */
            at: string;
            detail: string | null;
            id: number;
            result: string;
            target: string | null;
        };
        AuditPage: {
            items: components["schemas"]["AuditEntry"][];
            next: string | null;
        };
        Check: {
            ok: boolean;
            problems: components["schemas"]["FieldProblem"][];
            resources: components["schemas"]["Resources"];
            /** @enum {string} */
            starts: "now" | "later" | "unknown";
            starts_text: string;
            summary: string;
        };
        ClusterGpus: {
            down: number;
            free: number;
            total: number;
            type: string;
        };
        End: {
            advice: string | null;
            code: string;
            exit_code: number | null;
            text: string;
        };
        Environment: {
            description: string;
            installable: boolean;
            installed: boolean;
            name: string;
            size_mb: number | null;
            title: string;
            version: string;
        };
        EnvironmentList: {
            items: components["schemas"]["EnvironmentStatus"][];
        };
        EnvironmentStatus: {
            description: string;
            installable: boolean;
            installed: boolean;
            message: string | null;
            name: string;
            progress: number | null;
            size_mb: number | null;
            /** @enum {string} */
            state: "absent" | "installing" | "installed" | "failed";
            title: string;
            version: string;
        };
        ErrorBody: {
            error: {
                code: string;
                fields: components["schemas"]["FieldProblem"][];
                hint: string | null;
                message: string;
                request_id: string | null;
            };
        };
        FieldProblem: {
            field: string;
            message: string;
        };
        GpuPool: {
            down: number;
            free: number;
            most_free_on_a_node: number;
            total: number;
            type: string;
        };
        GpuUse: {
            index: number;
            memory_total_mib: number | null;
            memory_used_mib: number | null;
            name: string;
            utilization: number | null;
        };
        LogPiece: {
            next_offset: number;
            offset: number;
            size: number;
            text: string;
        };
        Me: {
            admin: boolean;
            csrf_token: string | null;
            display_name: string;
            groups: string[];
            username: string;
        };
        Mount: {
            name: string;
            title: string;
        };
        Options: {
            accounts: components["schemas"]["Account"][];
            apps: components["schemas"]["App"][];
            as_of: string | null;
            defaults: {
                app: string;
                environment: string;
                resources: components["schemas"]["Resources"];
            };
            environments: components["schemas"]["Environment"][];
            gpus: components["schemas"]["ClusterGpus"][];
            partitions: components["schemas"]["Partition"][];
            policy: components["schemas"]["Policy"];
        };
        Partition: {
            available: boolean;
            cpus: {
                free: number;
                total: number;
            };
            default: boolean;
            default_walltime_s: number | null;
            gpus: components["schemas"]["GpuPool"][];
            max_walltime_s: number | null;
            name: string;
            nodes: {
                total: number;
                up: number;
            };
            per_node: {
                cpus: number;
                gpus: number;
                memory_mib: number;
            };
            reason: string | null;
        };
        Policy: {
            cpu_only_cpus: number;
            cpu_only_memory_mib: number;
            cpus_per_gpu: number;
            gpus_in_use: number;
            max_gpus: number | null;
            max_nodes: number;
            max_sessions: number | null;
            max_walltime_s: number;
            memory_mib_per_gpu: number;
            sessions_in_use: number;
        };
        Queue: {
            expected_start: string | null;
            of: number;
            position: number;
        };
        Resources: {
            account: string | null;
            cpus: number;
            gpu_type: string | null;
            gpus: number;
            memory_mib: number;
            nodes: number;
            partition: string | null;
            qos: string | null;
            reservation: string | null;
            walltime_s: number;
        };
        ResourcesAsked: {
            account?: string | null;
            cpus?: number | null;
            gpu_type?: string | null;
            gpus?: number | null;
            memory_mib?: number | null;
            nodes?: number | null;
            partition?: string | null;
            qos?: string | null;
            reservation?: string | null;
            walltime_s?: number | null;
        };
        Session: {
            app: string;
            app_title: string;
            /** Format: date-time */
            created_at: string;
            end: components["schemas"]["End"] | null;
            ended_at: string | null;
            ends_at: string | null;
            environment: string;
            environment_title: string;
            id: string;
            job_id: number | null;
            name: string;
            node: string | null;
            owner: string;
            progress: number;
            queue: components["schemas"]["Queue"] | null;
            queued_at: string | null;
            ready_at: string | null;
            reason: string | null;
            reason_code: string | null;
            resources: components["schemas"]["Resources"];
            server_name: string;
            started_at: string | null;
            /** @enum {string} */
            state: "submitted" | "queued" | "allocated" | "starting" | "ready" | "stopping" | "ended";
            url: string | null;
            usage: components["schemas"]["Usage"] | null;
        };
        SessionAsked: {
            app: string;
            environment?: string | null;
            name?: string | null;
            resources?: components["schemas"]["ResourcesAsked"];
        };
        SessionPage: {
            as_of: string | null;
            items: components["schemas"]["Session"][];
            next: string | null;
        };
        Site: {
            hub_url: string;
            mounts: components["schemas"]["Mount"][];
            name: string;
            slurm: components["schemas"]["SlurmState"];
            support: string;
            version: string;
        };
        SlurmState: {
            as_of: string | null;
            message: string | null;
            since: string | null;
            /** @enum {string} */
            state: "up" | "down" | "unknown";
        };
        Template: {
            description: string;
            environment: string;
            file: string;
            framework: string;
            gpus: number;
            id: string;
            minutes_cpu: number | null;
            task: string;
            title: string;
        };
        TemplateList: {
            items: components["schemas"]["Template"][];
        };
        TemplateOpen: {
            session: string;
        };
        TemplateOpened: {
            url: string;
        };
        Usage: {
            /** Format: date-time */
            at: string;
            cpu_percent: number;
            gpus: components["schemas"]["GpuUse"][];
            memory_mib: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_audit: {
        parameters: {
            query?: {
                action?: string;
                actor?: string;
                before?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
        };
    };
    list_environments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentList"];
                };
            };
        };
    };
    install_environment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentStatus"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    options: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Options"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
                state?: "active" | "ended" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    start_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionAsked"];
            };
        };
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    stop_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    session_log: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPiece"];
                };
            };
        };
    };
    check_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionAsked"];
            };
        };
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Check"];
                };
            };
        };
    };
    site: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
        };
    };
    list_templates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    open_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                template_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateOpen"];
            };
        };
        responses: {
            /** @description Refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateOpened"];
                };
            };
        };
    };
}
